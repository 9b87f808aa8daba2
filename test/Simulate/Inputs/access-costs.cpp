// access-costs CSV: compares AccessCosts with what ncu counted for single accesses (bench/calibrate/access.py). Prints, for
// each kind and width, how many patterns agree.

#include "AccessCosts.h"

#include <cstdio>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

using namespace tgc::sim;

int main(int argc, char **argv) {
  std::ifstream file(argc == 2 ? argv[1] : "");
  std::string line, cell;
  if (!std::getline(file, line))
    return std::fprintf(stderr, "usage: access-costs CSV\n"), 2;
  std::vector<std::string> header;
  for (std::stringstream cells(line); std::getline(cells, cell, ',');)
    header.push_back(cell);
  std::map<std::string, std::pair<int, int>> agreed; // by kind and width, of how many
  while (std::getline(file, line)) {
    std::map<std::string, std::string> row;
    std::stringstream cells(line);
    for (const std::string &name : header)
      std::getline(cells, row[name], ',');
    const std::string &kind = row["kind"];
    const bool isCopy = kind == "async_copy", isShared = kind.rfind("shared", 0) == 0;
    WarpAccess access(std::stoi(row["width"]) / 4);
    std::stringstream offsets(row["offsets"]);
    for (unsigned lane = 0; lane < 32; ++lane) {
      long long offset;
      offsets >> offset;
      if (offset >= 0)
        access.add(lane, (isCopy ? offset & 0xffff : offset) / 4); // the place in shared memory is above bit 16
    }
    const std::string column = isCopy ? "global_load_sectors" : kind + (isShared ? "_wavefronts" : "_sectors");
    const long long counted = std::stoll(row[column]);
    auto &[same, all] = agreed[kind + " " + row["width"]];
    const bool isLoad = kind == "shared_load";
    same += counted == (isShared ? getSharedCost(access, isLoad) : getGlobalCost(access)).units &&
            (!isShared || counted == (long long)getSharedWavefronts(access, isLoad).size());
    ++all;
  }
  for (const auto &[name, counts] : agreed)
    std::printf("%s: %d of %d\n", name.c_str(), counts.first, counts.second);
}
