package dev.pinion.core.model;

import java.util.Optional;

/**
 * Name of one instance for its whole life, wherever it runs.
 *
 * <p>The id packs, from the highest bit: 42 bits of milliseconds since the epoch, 12 bits of
 * sequence within the millisecond, and 10 bits of partition. It names the partition that owns the
 * instance, never a process, so an instance can move with its partition. Ids of one partition
 * ascend strictly in the order of their starts; as text they sort like the numbers.
 *
 * @param value the packed id, never negative
 */
public record InstanceId(long value) implements Comparable<InstanceId> {
  /** The largest number of partitions an id can name. */
  public static final int MAX_PARTITIONS = 1 << 10;

  private static final int PARTITION_BITS = 10;
  private static final int SEQUENCE_BITS = 12;
  private static final String PREFIX = "i_";
  private static final String ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
  private static final int DIGITS = 13;

  /** Checks that the value is not negative. */
  public InstanceId {
    if (value < 0) {
      throw new IllegalArgumentException("expected a non-negative instance id, found " + value);
    }
  }

  /**
   * The first id of a partition that is at or after a wall-clock time and after the partition's
   * last id.
   *
   * @param epochMillis wall-clock time of the start
   * @param partition partition that will own the instance, 0 to {@link #MAX_PARTITIONS} - 1
   * @param last the partition's last id, or null when it has none
   */
  public static InstanceId next(
      long epochMillis, int partition, @org.jspecify.annotations.Nullable InstanceId last) {
    if (partition < 0 || partition >= MAX_PARTITIONS) {
      throw new IllegalArgumentException(
          "expected a partition from 0 to " + (MAX_PARTITIONS - 1) + ", found " + partition);
    }
    long tick = epochMillis << SEQUENCE_BITS;
    if (last != null) {
      tick = Math.max(tick, (last.value >>> PARTITION_BITS) + 1);
    }
    return new InstanceId(tick << PARTITION_BITS | partition);
  }

  /** The partition that owns the instance. */
  public int partition() {
    return (int) (value & (MAX_PARTITIONS - 1));
  }

  /** Wall-clock milliseconds since the epoch at which the instance was started. */
  public long startedAtEpochMillis() {
    return value >>> (PARTITION_BITS + SEQUENCE_BITS);
  }

  /** Parses the text form; empty when the text is not an instance id. */
  public static Optional<InstanceId> parse(String text) {
    if (text.length() != PREFIX.length() + DIGITS || !text.startsWith(PREFIX)) {
      return Optional.empty();
    }
    long value = 0;
    for (int i = PREFIX.length(); i < text.length(); i++) {
      int digit = ALPHABET.indexOf(text.charAt(i));
      if (digit < 0) {
        return Optional.empty();
      }
      value = value << 5 | digit;
    }
    boolean canonical = ALPHABET.indexOf(text.charAt(PREFIX.length())) < 8;
    return canonical ? Optional.of(new InstanceId(value)) : Optional.empty();
  }

  @Override
  public int compareTo(InstanceId other) {
    return Long.compare(value, other.value);
  }

  /** {@code i_} and thirteen digits of Crockford's base 32 in lower case. */
  @Override
  public String toString() {
    char[] text = new char[PREFIX.length() + DIGITS];
    PREFIX.getChars(0, PREFIX.length(), text, 0);
    long rest = value;
    for (int i = text.length - 1; i >= PREFIX.length(); i--) {
      text[i] = ALPHABET.charAt((int) (rest & 31));
      rest >>>= 5;
    }
    return new String(text);
  }
}
