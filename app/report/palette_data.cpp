#include "app/report/palette_data.hpp"

#include "app/plot/colour_map.hpp"
#include "app/plot/palette.hpp"

#include <nlohmann/json.hpp>

#include <span>
#include <string>

namespace slipwave::app {

namespace {

Json inks_table(std::uint32_t palette::Ink::*shade) {
  Json table = Json::object();
  for (const palette::Ink& ink : palette::inks) table[ink.name] = hex(ink.*shade);
  return table;
}

Json energies_table(std::span<const palette::EnergyLook> looks) {
  Json array = Json::array();
  for (const palette::EnergyLook& look : looks)
    array.push_back(Json{{"column", look.column},
                         {"name", look.name},
                         {"colour", palette::inks.at(look.line.ink).name},
                         {"dash", palette::dashes.at(look.line.dash).name},
                         {"width", look.line.width}});
  return array;
}

Json statuses_table() {
  Json array = Json::array();
  for (const palette::StatusLook& status : palette::statuses)
    array.push_back(Json{
        {"name", status.name}, {"short_name", status.short_name}, {"colour", hex(status.colour)}});
  return array;
}

Json speeds_table() {
  Json array = Json::array();
  for (const palette::SpeedLook& speed : palette::speeds)
    array.push_back(Json{{"name", speed.name}, {"dash", palette::dashes.at(speed.dash).name}});
  return array;
}

Json stops(const ColourMap& map) {
  Json array = Json::array();
  for (const std::uint32_t colour : map) array.push_back(hex(colour));
  return array;
}

}  // namespace

Json palette_data() {
  return Json{{"light", inks_table(&palette::Ink::light)},
              {"dark", inks_table(&palette::Ink::dark)},
              {"statuses", statuses_table()},
              {"energies", energies_table(palette::energies)},
              {"balance", energies_table(palette::balance)},
              {"tangential_works", energies_table(palette::tangential_works)},
              {"speeds", speeds_table()},
              {"sequential", stops(sequential_map())},
              {"diverging", stops(diverging_map())},
              {"dark_diverging", stops(dark_diverging_map())}};
}

}  // namespace slipwave::app
