# What a user's project finds: find_package(asperity [COMPONENTS ...]) and pkg-config. Without the libraries it is the laws alone, which
# need nothing but the standard library.
include(CMakePackageConfigHelpers)
set(headers ${CMAKE_INSTALL_INCLUDEDIR})
set(cmake_files ${CMAKE_INSTALL_LIBDIR}/cmake/asperity)
set(ASPERITY_COMPONENTS laws)

install(TARGETS asperity_laws EXPORT asperity_targets)
if(ASPERITY_BUILD_LIBRARIES AND PROJECT_IS_TOP_LEVEL)
  list(APPEND ASPERITY_COMPONENTS sim scene design report job study identify reproduce)
  install(DIRECTORY include/asperity DESTINATION ${headers})
else()
  install(DIRECTORY include/asperity/scalar include/asperity/friction include/asperity/contact DESTINATION ${headers}/asperity)
  install(FILES include/asperity/law.hpp include/asperity/laws.hpp include/asperity/step.hpp include/asperity/over.hpp include/asperity/catalogue.hpp
          include/asperity/law_list.hpp include/asperity/nested_name.hpp include/asperity/spring.hpp include/asperity/statics.hpp
          DESTINATION ${headers}/asperity)
  # The estimator for control loops.
  install(FILES include/asperity/identify/online.hpp DESTINATION ${headers}/asperity/identify)
endif()

set(ASPERITY_STATIC YES)
if(BUILD_SHARED_LIBS)
  set(ASPERITY_STATIC NO)
endif()
get_property(ASPERITY_USES_TBB GLOBAL PROPERTY ASPERITY_THREADS)
install(EXPORT asperity_targets NAMESPACE asperity:: FILE asperityTargets.cmake DESTINATION ${cmake_files})
configure_package_config_file(cmake/asperityConfig.cmake.in ${PROJECT_BINARY_DIR}/asperityConfig.cmake INSTALL_DESTINATION ${cmake_files})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/asperityConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/asperityConfig.cmake ${PROJECT_BINARY_DIR}/asperityConfigVersion.cmake DESTINATION ${cmake_files})

# asperity-NAME.pc. Static libraries are linked with all that they need.
file(RELATIVE_PATH up ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
function(asperity_pkg_config name requires libraries private)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/asperity-${name}.pc @ONLY CONTENT [[
prefix=${pcfiledir}/@up@
libdir=${prefix}/@CMAKE_INSTALL_LIBDIR@
includedir=${prefix}/@CMAKE_INSTALL_INCLUDEDIR@

Name: asperity-@name@
Description: @PROJECT_DESCRIPTION@
Version: @PROJECT_VERSION@
Requires: @requires@
Cflags: -I${includedir} -std=c++20
Libs: @libraries@
Libs.private: @private@
]])
  install(FILES ${PROJECT_BINARY_DIR}/asperity-${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()

set(requires_sim asperity-laws)
set(requires_scene asperity-sim)
set(requires_design asperity-scene)
set(requires_report asperity-scene)
set(requires_job asperity-report)
set(requires_study asperity-job)
set(requires_identify asperity-report)
set(requires_reproduce asperity-report asperity-design)
asperity_pkg_config(laws "" "" "")
foreach(name ${ASPERITY_COMPONENTS})
  if(name STREQUAL laws)
    continue()
  endif()
  set(private -lfmt)
  if(name STREQUAL sim)
    get_target_property(all asperity_sim LINK_LIBRARIES)
    foreach(library ${all})
      if(IS_ABSOLUTE "${library}")
        get_filename_component(library ${library} NAME_WE)
        string(REGEX REPLACE "^lib" "-l" library ${library})
        list(APPEND private ${library})
      elseif(library STREQUAL TBB::tbb)
        list(APPEND private -ltbb)
      endif()
    endforeach()
  endif()
  list(JOIN private " " private)
  list(JOIN requires_${name} " " requires)
  set(own "-L\${libdir} -lasperity_${name}")
  if(ASPERITY_STATIC)
    asperity_pkg_config(${name} "${requires}" "${own} ${private}" "")
  else()
    asperity_pkg_config(${name} "${requires}" "${own}" "${private}")
  endif()
endforeach()
