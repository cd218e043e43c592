# What `cmake --install` gives: the component "development" is the C++ package (headers, archive,
# find_package and pkg-config files), "runtime" the command-line program. A wheel takes neither: its
# parts are the component "python".
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/bentwood)
set(pkgconfig_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(TARGETS bentwood EXPORT bentwoodTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
# Without the headers that no public one includes: they need the libraries we build with.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/bentwood DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        COMPONENT development FILES_MATCHING PATTERN "*.hpp"
        PATTERN "geometry/kernels" EXCLUDE PATTERN "geometry/row_operation.hpp" EXCLUDE
        PATTERN "*-inl.hpp" EXCLUDE PATTERN "data/csv_fields.hpp" EXCLUDE
        PATTERN "model/check_numbers.hpp" EXCLUDE)
install(EXPORT bentwoodTargets NAMESPACE bentwood:: DESTINATION ${package_dir}
        COMPONENT development)

configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/cmake/bentwoodConfig.cmake.in
  ${PROJECT_BINARY_DIR}/package/bentwoodConfig.cmake INSTALL_DESTINATION ${package_dir})
# Before 1.0 a new minor version may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/bentwoodConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/package/bentwoodConfig.cmake
              ${PROJECT_BINARY_DIR}/package/bentwoodConfigVersion.cmake
        DESTINATION ${package_dir} COMPONENT development)

# The prefix as seen from the .pc file, so that an installed tree may move.
file(RELATIVE_PATH PREFIX_FROM_PKGCONFIG /prefix/${pkgconfig_dir} /prefix)
configure_file(${PROJECT_SOURCE_DIR}/cmake/bentwood.pc.in ${PROJECT_BINARY_DIR}/package/bentwood.pc
               @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/package/bentwood.pc DESTINATION ${pkgconfig_dir}
        COMPONENT development)

# Installs a program beside `python` when a wheel is made, in bin/ otherwise.
function(bentwood_install_program target)
  if(SKBUILD)
    install(TARGETS ${target} RUNTIME DESTINATION ${SKBUILD_SCRIPTS_DIR} COMPONENT python)
  else()
    install(TARGETS ${target} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT runtime)
  endif()
endfunction()
