package dev.pinion.handlers.config;

import dev.pinion.core.model.Nearest;
import dev.pinion.handlers.api.Settings;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Named groups of handlers, with the places where their members run.
 *
 * @param places places by name
 */
record Modules(Map<String, Place> places) {
  /** Place where a handler runs. */
  enum Place {
    /** In this process. */
    LOCAL,
    /** In a handler host. */
    REMOTE,
    /** In the faster place. */
    AUTO
  }

  static Modules of(List<Settings> modules) {
    Map<String, Place> places = new TreeMap<>();
    for (Settings each : modules) {
      String name = each.text("name");
      if (places.put(name, each.choice("place", Place.LOCAL)) != null) {
        each.problem("name", "expected each module once, found \"" + name + "\" again");
      }
    }
    return new Modules(places);
  }

  /** Place of a handler: its own setting, or its module's. */
  Place placeOf(Settings handler, String module) {
    Place place = places.get(module);
    if (!module.isEmpty() && place == null) {
      handler.problem(
          "module",
          "expected the name of a module, found \""
              + module
              + "\"; "
              + (places.isEmpty() ? "there are none" : Nearest.hint(module, places.keySet())));
    }
    return handler.choice("place", place == null ? Place.LOCAL : place);
  }
}
