package dev.pinion.bootstrap.topology;

import java.util.BitSet;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** An immutable set of logical CPUs by number, in the text formats of Linux. */
public final class CpuSet {
  /** Highest CPU number accepted; Linux builds allow 8,191. */
  public static final int MAX_CPU = 65_535;

  /** No CPU. */
  public static final CpuSet EMPTY = new CpuSet(new BitSet());

  /** Hexadecimal digits of a word of a mask. */
  private static final int DIGITS_PER_WORD = 8;

  private static final int BITS_PER_DIGIT = 4;

  private final BitSet cpus;

  private CpuSet(BitSet cpus) {
    this.cpus = cpus;
  }

  /** The set of the given CPUs. */
  public static CpuSet of(int... cpus) {
    return of(IntStream.of(cpus));
  }

  /** The set of one CPU. */
  public static CpuSet of(int cpu) {
    BitSet bits = new BitSet();
    bits.set(checked(cpu));
    return new CpuSet(bits);
  }

  /** The set of the CPUs of a stream. */
  public static CpuSet of(IntStream cpus) {
    BitSet bits = new BitSet();
    cpus.forEach(cpu -> bits.set(checked(cpu)));
    return new CpuSet(bits);
  }

  /** The set of the CPUs whose bits are set. */
  static CpuSet of(BitSet bits) {
    checked(Math.max(0, bits.length() - 1));
    return new CpuSet((BitSet) bits.clone());
  }

  /** The CPUs 0 to {@code count - 1}. */
  public static CpuSet firstCpus(int count) {
    return of(IntStream.range(0, count));
  }

  /** All CPUs that are in any of the sets. */
  public static CpuSet union(Collection<CpuSet> sets) {
    BitSet bits = new BitSet();
    sets.forEach(set -> bits.or(set.cpus));
    return new CpuSet(bits);
  }

  /**
   * Reads the list format of {@code cpuset(7)}, such as {@code 0-3,8}; white space around it is
   * ignored and an empty text is the empty set.
   *
   * @throws IllegalArgumentException when the text is anything else
   */
  public static CpuSet parse(String list) {
    BitSet bits = new BitSet();
    String text = list.strip();
    if (text.isEmpty()) {
      return EMPTY;
    }
    for (String range : text.split(",", -1)) {
      int dash = range.indexOf('-');
      int from = number(dash < 0 ? range : range.substring(0, dash), list);
      int to = dash < 0 ? from : number(range.substring(dash + 1), list);
      if (to < from) {
        throw notAList(list);
      }
      bits.set(from, to + 1);
    }
    return new CpuSet(bits);
  }

  /**
   * Reads the mask format of {@code cpuset(7)}: words of up to 32 bits in hexadecimal, separated by
   * commas, highest first. A mask without commas is one word of any length.
   *
   * @throws IllegalArgumentException when the text is anything else
   */
  public static CpuSet parseMask(String mask) {
    BitSet bits = new BitSet();
    String[] words = mask.strip().split(",", -1);
    for (int i = 0; i < words.length; i++) {
      String word = words[i];
      if (word.isEmpty() || (words.length > 1 && word.length() > DIGITS_PER_WORD)) {
        throw notAMask(mask);
      }
      int base = (words.length - 1 - i) * DIGITS_PER_WORD * BITS_PER_DIGIT;
      for (int digit = 0; digit < word.length(); digit++) {
        int value = hexDigit(word.charAt(word.length() - 1 - digit), mask);
        for (int bit = 0; bit < BITS_PER_DIGIT; bit++) {
          if ((value >>> bit & 1) != 0) {
            bits.set(checked(base + digit * BITS_PER_DIGIT + bit));
          }
        }
      }
    }
    return new CpuSet(bits);
  }

  private static int hexDigit(char digit, String mask) {
    if (!HexFormat.isHexDigit(digit)) {
      throw notAMask(mask);
    }
    return HexFormat.fromHexDigit(digit);
  }

  private static IllegalArgumentException notAMask(String mask) {
    return new IllegalArgumentException(
        "expected a CPU mask such as 00000000,0000000f, found \"" + mask.strip() + "\"");
  }

  private static int number(String digits, String list) {
    try {
      return checked(Integer.parseInt(digits.strip()));
    } catch (NumberFormatException e) {
      throw notAList(list);
    }
  }

  private static int checked(int cpu) {
    if (cpu < 0 || cpu > MAX_CPU) {
      throw new IllegalArgumentException(
          "expected a CPU number from 0 to " + MAX_CPU + ", found " + cpu);
    }
    return cpu;
  }

  private static IllegalArgumentException notAList(String list) {
    return new IllegalArgumentException(
        "expected a CPU list such as 0-3,8, found \"" + list.strip() + "\"");
  }

  /** The CPUs that pass a test. */
  public CpuSet where(IntPredicate test) {
    BitSet bits = new BitSet();
    for (int cpu = first(); cpu >= 0; cpu = next(cpu)) {
      if (test.test(cpu)) {
        bits.set(cpu);
      }
    }
    return new CpuSet(bits);
  }

  /** CPUs in both sets. */
  public CpuSet and(CpuSet other) {
    BitSet bits = (BitSet) cpus.clone();
    bits.and(other.cpus);
    return new CpuSet(bits);
  }

  /** CPUs in either set. */
  public CpuSet or(CpuSet other) {
    return union(List.of(this, other));
  }

  /** CPUs in this set but not in the other. */
  public CpuSet minus(CpuSet other) {
    BitSet bits = (BitSet) cpus.clone();
    bits.andNot(other.cpus);
    return new CpuSet(bits);
  }

  /** Whether a CPU is in the set. */
  public boolean contains(int cpu) {
    return cpus.get(cpu);
  }

  /** Whether every CPU of the other set is in this one. */
  public boolean containsAll(CpuSet other) {
    return other.minus(this).isEmpty();
  }

  /** Whether the sets have a CPU in common. */
  public boolean intersects(CpuSet other) {
    return cpus.intersects(other.cpus);
  }

  /** Whether there is no CPU. */
  public boolean isEmpty() {
    return cpus.isEmpty();
  }

  /** Number of CPUs. */
  public int size() {
    return cpus.cardinality();
  }

  /** The lowest CPU, or -1 when there is none. */
  public int first() {
    return cpus.nextSetBit(0);
  }

  /** The lowest CPU above another one, or -1 when there is none. */
  public int next(int cpu) {
    return cpus.nextSetBit(cpu + 1);
  }

  /** The CPUs in ascending order. */
  public IntStream stream() {
    return cpus.stream();
  }

  /** A copy as a bit set. */
  public BitSet toBitSet() {
    return (BitSet) cpus.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CpuSet set && cpus.equals(set.cpus);
  }

  @Override
  public int hashCode() {
    return cpus.hashCode();
  }

  /** The list format, such as {@code 0-3,8}. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    int from = cpus.nextSetBit(0);
    while (from >= 0) {
      int to = cpus.nextClearBit(from) - 1;
      text.append(text.isEmpty() ? "" : ",").append(from);
      if (to > from) {
        text.append('-').append(to);
      }
      from = cpus.nextSetBit(to + 1);
    }
    return text.toString();
  }
}
