package dev.pinion.core.model;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;

/**
 * How much of the heap of one replica values take, those of all its event loops together: what
 * instances hold, charged by kernels in {@linkplain Share shares}, large values on their way
 * between stages, and those of calls and evaluations under way. Estimates by {@link
 * Payload#heapBytes}. Any thread.
 *
 * <pre>
 *   0 ── half: what waits is packed ── bound: starts are refused ── three times: instances fault
 * </pre>
 */
public final class HeapAccount {
  /** A smaller value is not counted on its way: as many as there can be take little. */
  private static final int LEAST_CARRIED_BYTES = 512;

  /** Less of a call or an evaluation is not counted: permits bound how many there are. */
  private static final int LEAST_AWAY_BYTES = 16 << 10;

  private final long bound;
  private final List<Share> shares = new CopyOnWriteArrayList<>();
  private final LongAdder carried = new LongAdder();
  private final LongAdder away = new LongAdder();

  /** What one kernel charges. Written by one thread. */
  public static final class Share {
    private volatile long bytes;

    /** Charges more, or gives back when negative. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // one writing thread
    public void add(long more) {
      bytes += more;
    }

    /** Bytes charged. */
    public long bytes() {
      return bytes;
    }
  }

  private final LongAdder refusals = new LongAdder();

  /**
   * An empty account.
   *
   * @param bound bytes beyond which nothing new is taken on
   */
  public HeapAccount(long bound) {
    this.bound = bound;
  }

  /** A share for a kernel that begins. */
  public Share open() {
    Share share = new Share();
    shares.add(share);
    return share;
  }

  /** A kernel has ended: what it charged is free. */
  public void close(Share share) {
    shares.remove(share);
  }

  /** Bytes beyond which nothing new is taken on. */
  public long bound() {
    return bound;
  }

  /** Bytes that instances hold. */
  public long heldBytes() {
    long sum = 0;
    for (Share share : shares) {
      sum += share.bytes;
    }
    return sum;
  }

  /**
   * Whether nothing new may be taken on.
   *
   * @param others bytes of the heap that are charged nowhere
   */
  public boolean isFull(long others) {
    return heldBytes() + carried.sum() + away.sum() + others >= bound;
  }

  /**
   * Whether something new has to be refused, which is counted.
   *
   * @param others bytes of the heap that are charged nowhere
   */
  public boolean refuses(long others) {
    boolean full = isFull(others);
    if (full) {
      refusals.increment();
    }
    return full;
  }

  /** How often something new was refused. */
  public long refusals() {
    return refusals.sum();
  }

  /** Whether so much is held that room has to be made within a turn. */
  public boolean isCrowded() {
    return heldBytes() > 2 * bound;
  }

  /** Whether no instance may grow any more. */
  public boolean isExhausted() {
    return heldBytes() > 3 * bound;
  }

  /** Whether one instance may hold so much, whatever others do. */
  public boolean canHold(long heapBytes) {
    return heapBytes <= 2 * bound;
  }

  /** Whether values that wait should make room for so many bytes more. */
  public boolean isTight(long more) {
    return heldBytes() + more > bound / 2;
  }

  /** Whether more may go out of the kernels: what is on its way leaves room for what comes back. */
  public boolean hasRoomOutside() {
    return carried.sum() + away.sum() < bound / 2;
  }

  /**
   * Whether values may be made of bytes: of answers of services, and of results that clients ask
   * for. What calls have sent does not count: it goes when they have their answers.
   */
  public boolean hasRoomForAnswers() {
    return carried.sum() < bound / 2;
  }

  /**
   * Counts bytes of a call or an evaluation until it {@link #isBack}.
   *
   * @return what was counted, 0 when it is too little
   */
  public long goesAway(long bytes) {
    long counted = bytes < LEAST_AWAY_BYTES ? 0 : bytes;
    if (counted > 0) {
      away.add(counted);
    }
    return counted;
  }

  /** A call or an evaluation for which so much was {@linkplain #goesAway counted} has ended. */
  public void isBack(long counted) {
    away.add(-counted);
  }

  /**
   * Counts bytes of values that another thread has, until they have {@link #arrived(long)}.
   *
   * @return what was counted, 0 when it is too little
   */
  public long carry(long bytes) {
    long counted = bytes < LEAST_CARRIED_BYTES ? 0 : bytes;
    if (counted > 0) {
      carried.add(counted);
    }
    return counted;
  }

  /** What was {@linkplain #carry(long) carried}, or counted then, is where it was to go. */
  public void arrived(long bytes) {
    if (bytes >= LEAST_CARRIED_BYTES) {
      carried.add(-bytes);
    }
  }

  /** Bytes on their way between stages. */
  public long carriedBytes() {
    return carried.sum();
  }

  /**
   * Counts a value that goes from one stage to another, until it has {@link #arrived(Payload)}.
   *
   * @return what was counted, 0 when it is too little
   */
  public long carry(Payload value) {
    return carry(value.heapBytes());
  }

  /** A value that was {@linkplain #carry(Payload) carried} is where it was to go, or given up. */
  public void arrived(Payload value) {
    arrived(value.heapBytes());
  }
}
