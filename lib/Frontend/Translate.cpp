//===- Translate.cpp - the front end in tgc-translate -----------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tgc/Frontend/Frontend.h"

#include "mlir/Tools/mlir-translate/Translation.h"

using namespace mlir;

void tgc::registerFrontendTranslation() {
  static TranslateToMLIRRegistration import(
      "import-tgc", "tile program to L1", [](llvm::SourceMgr &sourceMgr, MLIRContext *context) {
        return OwningOpRef<Operation *>(parseTileProgram(sourceMgr, context).release());
      });
  static TranslateRegistration format("format-tgc", "tile program in canonical form",
                                      [](const std::shared_ptr<llvm::SourceMgr> &sourceMgr, raw_ostream &output,
                                         MLIRContext *context) -> LogicalResult {
                                        std::optional<std::string> text = formatTileProgram(*sourceMgr, context);
                                        if (!text)
                                          return failure();
                                        output << *text;
                                        return success();
                                      });
}
