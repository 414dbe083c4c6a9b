package dev.pinion.core.http;

import dev.pinion.core.http.message.Problem;
import dev.pinion.core.http.message.ProblemType;
import dev.pinion.core.limits.RequestLimits;

/** The phase of a connection, and the time that it may take. Event loop only. */
final class PhaseTimer {
  private static final long BODY_GRACE_MILLIS = 5_000;
  private static final long CLOSING_MILLIS = 2_000;

  private final RequestLimits limits;
  private final IdleTimer idleTimer = new IdleTimer();
  private ConnectionPhase connectionPhase = ConnectionPhase.IDLE;

  PhaseTimer(RequestLimits limits) {
    this.limits = limits;
  }

  ConnectionPhase phase() {
    return connectionPhase;
  }

  boolean isIn(ConnectionPhase asked) {
    return connectionPhase == asked;
  }

  /** Enters a phase: its time begins with the next duty cycle. */
  void enter(ConnectionPhase next) {
    connectionPhase = next;
    idleTimer.restart();
  }

  /** Begins the time of the present phase anew. */
  void restart() {
    idleTimer.restart();
  }

  /** Starts the time of a new phase. */
  void tick(long nowNanos) {
    idleTimer.tick(nowNanos);
  }

  /** Records the state of progress; any mark other than the last one of this phase is progress. */
  void progress(long nowNanos, long mark) {
    idleTimer.progress(nowNanos, mark);
  }

  /** Milliseconds since the phase began. */
  long millis(long nowNanos) {
    return idleTimer.millis(nowNanos);
  }

  /**
   * Milliseconds until the connection may be closed to make room for another client.
   *
   * @param heard whether a complete head has ever arrived
   * @param leastSilentMillis least idle time of a connection that has sent nothing
   */
  long evictableInMillis(long nowNanos, boolean heard, long leastSilentMillis) {
    boolean silent = isIn(ConnectionPhase.IDLE) && !heard;
    if (!isIn(ConnectionPhase.IDLE) && (heard || !isIn(ConnectionPhase.HEAD))) {
      return IdleClientConnections.LEAST_IDLE_MILLIS;
    }
    long least = silent ? leastSilentMillis : IdleClientConnections.LEAST_IDLE_MILLIS;
    return Math.max(0, least - millis(nowNanos));
  }

  /** Whether nothing has happened for as long as a connection may stay idle. */
  boolean isIdleTooLong(long nowNanos) {
    return idleTimer.idleMillis(nowNanos) >= limits.idleTimeoutMillis();
  }

  /**
   * Whether a connection that sends its last answer has had its time.
   *
   * @param lastSent whether the operating system has the answer
   */
  boolean isClosingTooLong(long nowNanos, boolean lastSent) {
    return lastSent ? idleTimer.idleMillis(nowNanos) >= CLOSING_MILLIS : isIdleTooLong(nowNanos);
  }

  /** Whether a head takes too long. */
  boolean isHeadTooSlow(long nowNanos) {
    return millis(nowNanos) >= limits.headTimeoutMillis();
  }

  /** The problem of such a head. */
  Problem slowHead() {
    return tooSlow("a complete head within " + limits.headTimeoutMillis() + " ms");
  }

  /** Whether a body of which some bytes have arrived takes too long. */
  boolean isBodyTooSlow(long nowNanos, long bodyBytes) {
    long millis = millis(nowNanos);
    return isIdleTooLong(nowNanos)
        || (millis > BODY_GRACE_MILLIS
            && bodyBytes * 1_000 < limits.minBodyBytesPerSecond() * millis);
  }

  /** The problem of such a body. */
  Problem slowBody() {
    return tooSlow("a body at " + limits.minBodyBytesPerSecond() + " bytes a second or more");
  }

  private static Problem tooSlow(String expected) {
    return Problem.of(
        ProblemType.REQUEST_TIMEOUT, "expected " + expected + ", found a slower client");
  }
}
