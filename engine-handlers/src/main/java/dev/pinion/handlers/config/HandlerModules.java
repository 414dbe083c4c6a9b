package dev.pinion.handlers.config;

import dev.pinion.core.model.SpellingSuggestion;
import dev.pinion.handlers.api.Settings;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Named groups of handlers, with the places where their members run.
 *
 * @param places places by name
 */
record HandlerModules(Map<String, ExecutionSite> places) {
  /** Place where a handler runs. */
  enum ExecutionSite {
    /** In this process. */
    LOCAL,
    /** In a handler host. */
    REMOTE,
    /** In the faster place. */
    AUTO
  }

  static HandlerModules of(List<Settings> modules) {
    Map<String, ExecutionSite> places = new TreeMap<>();
    for (Settings each : modules) {
      String name = each.text("name");
      if (places.put(name, each.choice("place", ExecutionSite.LOCAL)) != null) {
        each.problem("name", "expected each module once, found \"" + name + "\" again");
      }
    }
    return new HandlerModules(places);
  }

  /** Place of a handler: its own setting, or its module's. */
  ExecutionSite siteOf(Settings handler, String module) {
    ExecutionSite executionSite = places.get(module);
    if (!module.isEmpty() && executionSite == null) {
      handler.problem(
          "module",
          "expected the name of a module, found \""
              + module
              + "\"; "
              + (places.isEmpty()
                  ? "there are none"
                  : SpellingSuggestion.hint(module, places.keySet())));
    }
    return handler.choice("place", executionSite == null ? ExecutionSite.LOCAL : executionSite);
  }
}
