package dev.pinion.core.model;

import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;

/**
 * Account of the heap bytes of values in one replica, for all its event loops together: values that
 * instances hold, charged by kernels in {@linkplain Share shares}, large values on their way
 * between stages, and those of calls and evaluations in progress. Estimates by {@link
 * Payload#heapBytes}. Any thread.
 *
 * <pre>
 *   0 ── half: what waits is packed ── bound: starts are refused ── three times: instances fault
 * </pre>
 */
public final class HeapAccount {
  /** Smallest value that is counted on its way: smaller ones take little in total. */
  private static final int LEAST_CARRIED_BYTES = 512;

  /** Smallest call or evaluation that is counted: permits bound the number of smaller ones. */
  private static final int LEAST_AWAY_BYTES = 16 << 10;

  private final long bound;

  /** Replaced by a changed copy: every turn of every kernel sums it up. */
  private volatile Share[] shares = {};

  private final LongAdder carried = new LongAdder();
  private final LongAdder away = new LongAdder();

  /** Charge of one kernel. Written by one thread. */
  public static final class Share {
    private volatile long bytes;

    /** Adds to the charge, or releases when negative. */
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
   * @param bound bytes beyond which new work is refused
   */
  public HeapAccount(long bound) {
    this.bound = bound;
  }

  /** Opens a share for a new kernel. */
  public synchronized Share open() {
    Share share = new Share();
    Share[] more = Arrays.copyOf(shares, shares.length + 1);
    more[shares.length] = share;
    shares = more;
    return share;
  }

  /** Closes the share of a kernel that has ended and releases its charge. */
  public synchronized void close(Share share) {
    shares = Arrays.stream(shares).filter(each -> each != share).toArray(Share[]::new);
  }

  /** Bytes beyond which new work is refused. */
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
   * Whether new work must be refused.
   *
   * @param others bytes of the heap that are charged nowhere
   */
  public boolean isFull(long others) {
    return heldBytes() + carried.sum() + away.sum() + others >= bound;
  }

  /**
   * Whether new work must be refused; counts the refusal.
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

  /** Number of refusals. */
  public long refusals() {
    return refusals.sum();
  }

  /** Whether instances hold so much that room must be made within a turn. */
  public boolean isCrowded() {
    return heldBytes() > 2 * bound;
  }

  /** Whether no instance may grow any more. */
  public boolean isExhausted() {
    return heldBytes() > 3 * bound;
  }

  /** Whether one instance may hold so much, regardless of others. */
  public boolean canHold(long heapBytes) {
    return heapBytes <= 2 * bound;
  }

  /** Whether waiting values should be packed to make room for so many more bytes. */
  public boolean isNearlyFull(long more) {
    return heldBytes() + more > bound / 2;
  }

  /** Whether more calls and evaluations may leave the kernels: their results need room. */
  public boolean hasRoomForCalls() {
    return carried.sum() + away.sum() < bound / 2;
  }

  /**
   * Whether bytes may be turned into values: responses of services, and results for clients. The
   * requests of calls do not count: they are released when the response is there.
   */
  public boolean hasRoomForResponses() {
    return carried.sum() < bound / 2;
  }

  /**
   * Counts bytes of a call or an evaluation until it {@link #release}.
   *
   * @return the counted bytes, 0 when they are too few
   */
  public long reserve(long bytes) {
    long counted = bytes < LEAST_AWAY_BYTES ? 0 : bytes;
    if (counted > 0) {
      away.add(counted);
    }
    return counted;
  }

  /** Releases the {@linkplain #reserve counted} bytes of a call or an evaluation that has ended. */
  public void release(long counted) {
    away.add(-counted);
  }

  /**
   * Counts bytes of values that another thread has, until they have {@link #endTransfer(long)}.
   *
   * @return the counted bytes, 0 when they are too few
   */
  public long beginTransfer(long bytes) {
    long counted = bytes < LEAST_CARRIED_BYTES ? 0 : bytes;
    if (counted > 0) {
      carried.add(counted);
    }
    return counted;
  }

  /** Releases bytes that were {@linkplain #beginTransfer(long) carried} and have arrived. */
  public void endTransfer(long bytes) {
    if (bytes >= LEAST_CARRIED_BYTES) {
      carried.add(-bytes);
    }
  }

  /** Bytes on their way between stages. */
  public long carriedBytes() {
    return carried.sum();
  }

  /**
   * Counts a value that goes from one stage to another, until it has {@link #endTransfer(Payload)}.
   *
   * @return the counted bytes, 0 when they are too few
   */
  public long beginTransfer(Payload value) {
    return beginTransfer(value.heapBytes());
  }

  /**
   * Releases a value that was {@linkplain #beginTransfer(Payload) carried} and has arrived or was
   * discarded.
   */
  public void endTransfer(Payload value) {
    endTransfer(value.heapBytes());
  }
}
