# find_package(asperity) gives asperity::laws.
include(CMakePackageConfigHelpers)

install(TARGETS asperity_laws EXPORT asperity_targets)
install(DIRECTORY include/asperity DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT asperity_targets NAMESPACE asperity:: FILE asperityTargets.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/asperity)
configure_package_config_file(cmake/asperityConfig.cmake.in ${PROJECT_BINARY_DIR}/asperityConfig.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/asperity)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/asperityConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/asperityConfig.cmake ${PROJECT_BINARY_DIR}/asperityConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/asperity)
