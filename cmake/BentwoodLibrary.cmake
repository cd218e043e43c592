# Flags every target of the project shares.
#
# -ffp-contract=off: a product and a sum are rounded one after the other on every machine, so results
# do not depend on whether the CPU can fuse them.
add_library(bentwood_flags INTERFACE)
target_compile_features(bentwood_flags INTERFACE cxx_std_20)
target_compile_options(bentwood_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor
  -ffp-contract=off)
if(BENTWOOD_WARNINGS_AS_ERRORS)
  target_compile_options(bentwood_flags INTERFACE -Werror)
endif()

# bentwood_library(<folder> SOURCES ... [LINK ...] [HEADERS ...]): the target bentwood_<folder> of one
# folder of the library.
#
# LINK names the folders below it and the libraries whose code it calls; HEADERS the ones that are
# headers alone and leave no trace in the installed package. The installed library is one archive of all
# folders, so what they LINK is collected here for it.
function(bentwood_library folder)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK;HEADERS" ${ARGN})
  set(target bentwood_${folder})
  add_library(${target} OBJECT ${ARG_SOURCES})
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON
                        CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR})
  target_link_libraries(${target} PRIVATE bentwood_flags ${ARG_HEADERS} PUBLIC ${ARG_LINK})

  set_property(GLOBAL APPEND PROPERTY BENTWOOD_FOLDERS ${target})
  list(FILTER ARG_LINK EXCLUDE REGEX "^bentwood_")
  set_property(GLOBAL APPEND PROPERTY BENTWOOD_LINK ${ARG_LINK})
endfunction()
