package dev.pinion.handlers.builtin;

import dev.pinion.handlers.api.Settings;
import dev.pinion.handlers.api.Slot;
import java.util.List;

/** Settings that are JSON pointers. */
public final class PointerSetting {
  private PointerSetting() {}

  /** The part of the JSON body in a setting, which is mandatory. */
  public static Slot.Json slot(Settings settings, String name) {
    String pointer = settings.text(name);
    try {
      if (Slot.body(pointer) instanceof Slot.Json json) {
        return json;
      }
    } catch (IllegalArgumentException e) {
      settings.problem(name, String.valueOf(e.getMessage()));
    }
    return new Slot.Json(List.of());
  }
}
