package dev.pinion.handlers.builtin.security;

import dev.pinion.handlers.api.Declaration;
import dev.pinion.handlers.api.Peer;
import dev.pinion.handlers.api.Settings;
import dev.pinion.handlers.api.Slot;
import dev.pinion.handlers.builtin.FileSnapshot;
import java.util.List;
import java.util.Locale;

/**
 * Common settings of both sides of a signature.
 *
 * @param property the property of the header field that carries the signature
 * @param covered properties that are signed besides the body
 * @param keys the keys
 */
record HmacSettings(String property, List<String> covered, FileSnapshot<KeyRing> keys) {
  private static final int MAX_COVERED = 16;

  HmacSettings {
    covered = List.copyOf(covered);
  }

  static HmacSettings of(Settings settings) {
    String header = settings.text("header", "pinion-signature").toLowerCase(Locale.ROOT);
    List<String> covered = settings.texts("properties");
    if (covered.size() > MAX_COVERED || covered.contains("header." + header)) {
      settings.problem(
          "properties",
          "expected at most "
              + MAX_COVERED
              + " properties without the signature itself, found "
              + covered);
    }
    return new HmacSettings(
        "header." + header,
        covered,
        FileSnapshot.opened(
            settings.group("keys"),
            KeyRing.MAX_FILE_BYTES,
            file -> KeyRing.parse(file, "HmacSHA256", KeyRing.Sizes.HMAC)));
  }

  /** Slots that either side reads, as one of the pair. */
  Declaration declaration(Peer.Role role) {
    Declaration base = Declaration.NOTHING.reading(Slot.bytes());
    for (String name : covered) {
      base = base.reading(Slot.property(name));
    }
    return base.mandatory().with(new Peer("hmac", role));
  }
}
