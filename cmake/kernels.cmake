# SIMD kernels: one source, compiled once for each instruction set; the library chooses at run time.
find_path(XSIMD_INCLUDE xsimd/xsimd.hpp REQUIRED)

# asperity_kernel_objects(LIBRARY OBJECTS ARCH XSIMD_ARCH FLAGS...): the objects of kernels.cpp for one instruction set.
function(asperity_kernel_objects library objects arch xsimd_arch)
  add_library(${objects}_${arch} OBJECT kernels.cpp)
  target_link_libraries(${objects}_${arch} PRIVATE asperity_options asperity_laws)
  target_include_directories(${objects}_${arch} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_include_directories(${objects}_${arch} SYSTEM PRIVATE ${XSIMD_INCLUDE})
  target_compile_definitions(${objects}_${arch} PRIVATE ASPERITY_ARCH=${arch} "ASPERITY_XSIMD_ARCH=${xsimd_arch}")
  # Lanes are worth nothing unless everything is inlined, whatever the build is for.
  target_compile_options(${objects}_${arch} PRIVATE $<IF:$<BOOL:${ASPERITY_SPEED}>,-O3,-O1> ${ARGN})
  target_sources(${library} PRIVATE $<TARGET_OBJECTS:${objects}_${arch}>)
endfunction()

# asperity_kernels(LIBRARY OBJECTS X86_DEFINITION): kernels for every machine, and for the wider x86 ones where speed is wanted.
function(asperity_kernels library objects x86_definition)
  asperity_kernel_objects(${library} ${objects} Baseline xsimd::default_arch)
  if(ASPERITY_SPEED AND CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
    asperity_kernel_objects(${library} ${objects} Avx2 "xsimd::fma3<xsimd::avx2>" -mavx2 -mfma)
    # g++ 12 sees uninitialized numbers in its own AVX-512 intrinsics.
    asperity_kernel_objects(${library} ${objects} Avx512 xsimd::avx512bw -mavx2 -mfma -mavx512f -mavx512cd -mavx512dq -mavx512bw -mavx512vl
                            "$<$<CXX_COMPILER_ID:GNU>:-Wno-uninitialized;-Wno-maybe-uninitialized>")
    target_compile_definitions(${library} PRIVATE ${x86_definition})
  endif()
endfunction()
