# slipwave_room(contact SOURCES frames.cpp ... PUBLIC parallel slipwave::eigen PRIVATE fmt::fmt)
#
# A room of the house: the library `contact`, which others know as slipwave::contact, here and where Slipwave is
# installed. PUBLIC is what its headers need, PRIVATE what its sources need: rooms and other targets. With the word
# PROGRAM the room is the program's own and is not installed.
function(slipwave_room name)
  cmake_parse_arguments(PARSE_ARGV 1 room "PROGRAM" "" "SOURCES;PUBLIC;PRIVATE")
  if(room_PROGRAM)
    add_library(${name} STATIC ${room_SOURCES})
  else()
    add_library(${name} ${room_SOURCES})
    slipwave_open(${name})
  endif()
  add_library(slipwave::${name} ALIAS ${name})
  target_link_libraries(${name} PUBLIC $<BUILD_INTERFACE:slipwave_options> ${room_PUBLIC} PRIVATE ${room_PRIVATE})
endfunction()

# What makes a library usable from outside: C++20, headers written "contact/frames.hpp", and, where libraries are
# shared, our own names and no others (see exports.map).
function(slipwave_open name)
  target_compile_features(${name} PUBLIC cxx_std_20)
  target_include_directories(${name} INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/slipwave>)
  set_target_properties(${name} PROPERTIES OUTPUT_NAME slipwave_${name} VERSION ${PROJECT_VERSION}
                        SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  if(BUILD_SHARED_LIBS)
    set_target_properties(${name} PROPERTIES CXX_VISIBILITY_PRESET default VISIBILITY_INLINES_HIDDEN OFF)
    target_compile_options(${name} PRIVATE -fno-semantic-interposition)
    target_link_options(${name} PRIVATE -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/exports.map -Wl,--no-undefined)
    set_property(TARGET ${name} APPEND PROPERTY LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/exports.map)
  endif()
  install(TARGETS ${name} EXPORT slipwave COMPONENT libraries)
endfunction()
