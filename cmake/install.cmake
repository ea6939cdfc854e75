# find_package(asperity) gives asperity::laws.
include(CMakePackageConfigHelpers)

install(TARGETS asperity_laws EXPORT asperity_targets)
# The headers that stand alone; those that need a library of the project stay here.
install(DIRECTORY include/asperity/scalar include/asperity/friction include/asperity/contact DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/asperity)
install(FILES include/asperity/law.hpp include/asperity/laws.hpp include/asperity/step.hpp include/asperity/catalogue.hpp
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/asperity)
install(EXPORT asperity_targets NAMESPACE asperity:: FILE asperityTargets.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/asperity)
configure_package_config_file(cmake/asperityConfig.cmake.in ${PROJECT_BINARY_DIR}/asperityConfig.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/asperity)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/asperityConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/asperityConfig.cmake ${PROJECT_BINARY_DIR}/asperityConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/asperity)
