//===- Call.cpp - one call of a kernel from dumped operands -----*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Call.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>

#include <sanitizer/asan_interface.h>

using namespace tgc::host;

/// As any allocator of device memory aligns.
static constexpr std::size_t kAlignment = 256;

/// What lies in no element.
static constexpr std::uint32_t kPoison = 0x7fc0dead;

static std::uint32_t getBits(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

static float getPoison() {
  float value;
  std::memcpy(&value, &kPoison, sizeof(value));
  return value;
}

//===----------------------------------------------------------------------===//
// Operand
//===----------------------------------------------------------------------===//

Operand::Operand(std::string name, long long rows, long long cols, long long ld, long long offset)
    : name(std::move(name)), rows(rows), cols(cols), ld(ld), offset(offset) {
  void *memory = nullptr;
  if (posix_memalign(&memory, kAlignment, (offset + getExtent()) * sizeof(float)) != 0)
    fail("no memory for operand %s", this->name.c_str());
  allocation = static_cast<float *>(memory);
  data = allocation + offset;
}

Operand::~Operand() { std::free(allocation); }

/// Calls `visit(first element, count)` for what lies before the operand and between its rows.
template <typename Visit> void Operand::visitGaps(Visit visit) const {
  visit(allocation, offset);
  if (ld > cols)
    for (long long row = 0; row + 1 < rows; ++row)
      visit(data + row * ld + cols, ld - cols);
}

std::vector<float> Operand::readFile(const std::string &path) const {
  std::vector<float> values(rows * cols);
  std::FILE *file = std::fopen(path.c_str(), "rb");
  if (!file)
    fail("cannot read '%s'", path.c_str());
  const std::size_t count = std::fread(values.data(), sizeof(float), values.size(), file);
  const bool isWhole = count == values.size() && std::fgetc(file) == EOF;
  std::fclose(file);
  if (!isWhole)
    fail("'%s' does not have %zu elements, as %s of %lld x %lld has", path.c_str(), values.size(), name.c_str(), rows,
         cols);
  return values;
}

void Operand::read(const std::string &path) {
  std::vector<float> values(rows * cols, getPoison());
  if (path != "-")
    values = readFile(path);
  for (long long row = 0; row < rows; ++row)
    std::copy_n(values.data() + row * cols, cols, data + row * ld);
  visitGaps([](float *first, long long count) {
    std::fill_n(first, count, getPoison());
    __asan_poison_memory_region(first, count * sizeof(float));
  });
}

void Operand::expect(const std::string &path) const {
  const std::vector<float> values = readFile(path);
  long long wrong = 0, firstWrong = 0;
  for (long long i = 0; i < rows * cols; ++i) {
    const float got = data[i / cols * ld + i % cols], expected = values[i];
    if (getBits(got) == getBits(expected) || (std::isnan(got) && std::isnan(expected)))
      continue;
    if (wrong++ == 0)
      firstWrong = i;
  }
  if (wrong == 0)
    return;
  const long long row = firstWrong / cols, col = firstWrong % cols;
  const float got = data[row * ld + col], expected = values[firstWrong];
  fail("%lld of %lld elements are wrong; the first is %s[%lld, %lld], which is %.9g (0x%08x), expected %.9g (0x%08x)",
       wrong, rows * cols, name.c_str(), row, col, got, getBits(got), expected, getBits(expected));
}

void Operand::checkGaps() const {
  visitGaps([this](float *first, long long count) {
    __asan_unpoison_memory_region(first, count * sizeof(float));
    for (long long i = 0; i < count; ++i)
      if (getBits(first[i]) != kPoison)
        fail("an element outside %s was written, %lld from its first one", name.c_str(),
             static_cast<long long>(first + i - data));
  });
}

//===----------------------------------------------------------------------===//
// Call
//===----------------------------------------------------------------------===//

static std::vector<std::string> split(const std::string &text, char separator) {
  std::vector<std::string> parts(1);
  for (char c : text) {
    if (c == separator)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

Call::Call(const std::vector<std::string> &words) {
  for (const std::string &word : words) {
    const std::vector<std::string> parts = split(word, ':');
    Argument argument;
    if (parts[0] == "int" && parts.size() == 2) {
      argument.integer = std::stoll(parts[1]);
    } else if (parts[0] == "float" && parts.size() == 2) {
      argument.scalar = std::stof(parts[1]);
    } else if (parts[0] == "operand" && parts.size() == 8) {
      argument.operand = operands.size();
      operands.emplace_back(parts[1], std::stoll(parts[2]), std::stoll(parts[3]), std::stoll(parts[4]),
                            std::stoll(parts[5]));
      operands.back().read(parts[6]);
      results.push_back(parts[7] == "-" ? parts[6] : parts[7]);
    } else {
      fail("'%s' is none of int:, float:, operand:", word.c_str());
    }
    arguments.push_back(argument);
  }
}

float *Call::getPointer(unsigned position) const { return operands[arguments[position].operand].getData(); }

void Call::check() const {
  for (unsigned i = 0; i < operands.size(); ++i) {
    operands[i].checkGaps();
    operands[i].expect(results[i]);
  }
}

void tgc::host::expectKernel(const std::string &chosen, const std::string &expected) {
  if (chosen != expected)
    fail("the header's choose() takes %s, tgc run takes %s", chosen.c_str(), expected.c_str());
}

int tgc::host::runCall(const std::vector<std::string> &words,
                       std::string (*launch)(const Call &call, const std::string &kernel)) {
  if (words.empty())
    fail("no kernel: expected its name and the arguments");
  for (Order order : {Order::Forward, Order::Reverse}) {
    setOrder(order);
    const Call call({words.begin() + 1, words.end()});
    const std::string error = launch(call, words.front());
    if (!error.empty())
      fail("the header's launch() refused the call: %s", error.c_str());
    call.check();
  }
  return 0;
}
