package dev.pinion.core.kernel.step.event;

import dev.pinion.core.codec.ByteReader;
import dev.pinion.core.codec.ByteWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Positions of events that were consumed: the last ones exactly, and everything up to a floor. So
 * an event that is read again after a crash is not consumed twice.
 */
public final class ConsumedPositions {
  /** Positions that are kept exactly. */
  private static final int RECENT = 16;

  private static final long[] NONE = {};

  private long floor;

  /** Ascending. */
  private long[] recent = NONE;

  /** A copy. */
  public ConsumedPositions copy() {
    ConsumedPositions copy = new ConsumedPositions();
    copy.floor = floor;
    copy.recent = recent.clone();
    return copy;
  }

  /** Positions that {@link #toNumbers} told, none for an empty list. */
  public static ConsumedPositions of(List<Long> numbers) {
    ConsumedPositions positions = new ConsumedPositions();
    if (!numbers.isEmpty()) {
      positions.floor = numbers.getFirst();
      positions.recent = numbers.stream().skip(1).mapToLong(each -> each).toArray();
    }
    return positions;
  }

  /** The floor, and the positions above it. */
  public List<Long> toNumbers() {
    List<Long> numbers = new ArrayList<>();
    numbers.add(floor);
    for (long position : recent) {
      numbers.add(position);
    }
    return numbers;
  }

  /** The position up to which every one counts as consumed. */
  public long floor() {
    return floor;
  }

  /** Has every position up to another one count as consumed. */
  public void raiseTo(long position) {
    if (position > floor) {
      floor = position;
      recent = Arrays.stream(recent).filter(each -> each > position).toArray();
    }
  }

  /** Whether no position is kept exactly. */
  public boolean isEmpty() {
    return recent.length == 0;
  }

  /** Whether a position counts as consumed. */
  public boolean includes(long position) {
    return position <= floor || Arrays.binarySearch(recent, position) >= 0;
  }

  /** Adds a position. */
  public void add(long position) {
    int at = Arrays.binarySearch(recent, position);
    if (position <= floor || at >= 0) {
      return;
    }
    int index = -at - 1;
    long[] more = Arrays.copyOf(recent, recent.length + 1);
    System.arraycopy(recent, index, more, index + 1, recent.length - index);
    more[index] = position;
    if (more.length > RECENT) {
      floor = more[0];
      more = Arrays.copyOfRange(more, 1, more.length);
    }
    recent = more;
  }

  /** Writes them. */
  public void write(ByteWriter out) {
    out.putNumber(floor);
    out.putCount(recent.length);
    for (long position : recent) {
      out.putNumber(position - floor);
    }
  }

  /** Reads what {@link #write} wrote. */
  public static ConsumedPositions read(ByteReader in) {
    ConsumedPositions positions = new ConsumedPositions();
    positions.floor = in.getNumber();
    long[] recent = new long[in.getSize()];
    Arrays.setAll(recent, i -> positions.floor + in.getNumber());
    positions.recent = recent;
    return positions;
  }
}
