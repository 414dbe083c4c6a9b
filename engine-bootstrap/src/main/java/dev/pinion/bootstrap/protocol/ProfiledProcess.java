package dev.pinion.bootstrap.protocol;

import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A process of an engine that can record itself. In order: replicas by their index, then the
 * broker.
 *
 * @param replica index of the replica; empty for the active broker
 */
public record ProfiledProcess(OptionalInt replica) implements Comparable<ProfiledProcess> {
  /** The active broker. */
  public static final ProfiledProcess BROKER = new ProfiledProcess(OptionalInt.empty());

  /** Highest index of a replica in a name. */
  public static final int MAX_INDEX = 999_999;

  private static final String BROKER_NAME = "broker";
  private static final Pattern REPLICA_NAME = Pattern.compile("replica (\\d{1,6})");

  /** A replica, by its index. */
  public static ProfiledProcess replica(int index) {
    return new ProfiledProcess(OptionalInt.of(index));
  }

  /**
   * The process of a name.
   *
   * @param name name in the format of {@link #name}
   * @throws IllegalArgumentException when it is not the name of a process
   */
  public static ProfiledProcess named(String name) {
    Matcher matcher = REPLICA_NAME.matcher(name);
    if (matcher.matches()) {
      return replica(Integer.parseInt(matcher.group(1)));
    }
    if (!name.equals(BROKER_NAME)) {
      throw new IllegalArgumentException(
          "expected \"replica\" with an index, or \"broker\", found \"" + name + '"');
    }
    return BROKER;
  }

  /** The name for people, such as {@code replica 3}. */
  public String name() {
    return replica.isPresent() ? "replica " + replica.getAsInt() : BROKER_NAME;
  }

  /** Beginning of the names of its files, such as {@code replica-3}. */
  String file() {
    return name().replace(' ', '-');
  }

  @Override
  public int compareTo(ProfiledProcess other) {
    return Integer.compare(
        replica.orElse(Integer.MAX_VALUE), other.replica.orElse(Integer.MAX_VALUE));
  }
}
