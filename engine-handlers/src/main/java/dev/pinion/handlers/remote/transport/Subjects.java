package dev.pinion.handlers.remote.transport;

import java.util.UUID;

/**
 * Subjects of frames.
 *
 * @param prefix prefix of all subjects; processes with the same one work together
 */
public record Subjects(String prefix) {
  /** All hosts of a kind are one queue group: one of them gets each frame. */
  public static final String GROUP = "hosts";

  private static final String FORM = "[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*";

  public Subjects {
    if (!prefix.matches(FORM)) {
      throw new IllegalArgumentException(
          "expected a prefix of subjects such as pinion.handlers, found \"" + prefix + "\"");
    }
  }

  public String kind(String kind) {
    return prefix + ".kind." + kind;
  }

  /** The subject of stored messages of a kind. */
  public String stored(String kind) {
    return prefix + ".stored." + kind;
  }

  /** The name of the stream that stores them. */
  String stream() {
    return prefix.replace('.', '_');
  }

  public String host(UUID host) {
    return prefix + ".host." + host;
  }

  public String requester(UUID requester) {
    return prefix + ".requester." + requester;
  }

  public String heartbeats() {
    return prefix + ".beats";
  }
}
