# Finds MLIR/LLVM 22 (Debian's packages) and, with TGC_STATIC, makes their exported static targets usable.
#
# Debian's MLIR targets name the LLVM shared library in their link interface; a static tool that kept it would
# register every LLVM option twice and abort at start. So the interfaces are rewritten to a list of static components.

if(NOT DEFINED MLIR_DIR)
  set(MLIR_DIR /usr/lib/llvm-22/lib/cmake/mlir CACHE PATH "Folder of MLIRConfig.cmake")
endif()

if(TGC_STATIC)
  find_library(zstd_STATIC_LIBRARY NAMES libzstd.a REQUIRED)
  set(zstd_LIBRARY ${zstd_STATIC_LIBRARY} CACHE FILEPATH "" FORCE)
  set(zstd_INCLUDE_DIR /usr/include CACHE PATH "" FORCE)
  add_library(zstd::libzstd_shared STATIC IMPORTED)
  set_target_properties(zstd::libzstd_shared PROPERTIES
    IMPORTED_LOCATION ${zstd_STATIC_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${zstd_INCLUDE_DIR})
  set(ZLIB_USE_STATIC_LIBS ON)
endif()

find_package(MLIR 22.1 REQUIRED CONFIG) # major.minor must match: plain 22 is refused
list(APPEND CMAKE_MODULE_PATH "${MLIR_CMAKE_DIR}" "${LLVM_CMAKE_DIR}")
set(LLVM_EXTERNAL_LIT "${LLVM_TOOLS_BINARY_DIR}/lit" CACHE FILEPATH "lit") # llvm-lit is not shipped
include(TableGen)
include(AddLLVM)
include(AddMLIR)
include(HandleLLVMOptions)
separate_arguments(TGC_LLVM_DEFINITIONS NATIVE_COMMAND "${LLVM_DEFINITIONS}")
add_definitions(${TGC_LLVM_DEFINITIONS})

if(TGC_STATIC)
  llvm_map_components_to_libnames(TGC_LLVM_LIBS
    core support passes irreader linker target bitwriter asmparser NVPTXCodeGen NVPTXDesc NVPTXInfo)
  add_library(tgc_llvm INTERFACE)
  target_link_libraries(tgc_llvm INTERFACE ${TGC_LLVM_LIBS})
  get_property(TGC_ALL_MLIR GLOBAL PROPERTY MLIR_ALL_LIBS)
  foreach(lib IN LISTS TGC_ALL_MLIR)
    if(TARGET ${lib} AND NOT lib STREQUAL "MLIR")
      get_target_property(deps ${lib} INTERFACE_LINK_LIBRARIES)
      if(deps)
        list(TRANSFORM deps REPLACE "^LLVM$" "tgc_llvm")
        list(REMOVE_ITEM deps MLIR)
        set_target_properties(${lib} PROPERTIES INTERFACE_LINK_LIBRARIES "${deps}")
      endif()
    endif()
  endforeach()
endif()
