package dev.pinion.core.peer;

import dev.pinion.core.http.HttpExchange;
import dev.pinion.core.http.message.ProblemException;
import dev.pinion.core.limits.RequestLimits;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import org.agrona.collections.LongHashSet;
import org.jspecify.annotations.Nullable;

/**
 * Queue of starts that wait for the kernels. A start in here has neither begun nor been recorded,
 * so another replica may take it. Bounded by the requests that a handler answers at a time. Event
 * loop only.
 *
 * <pre>
 *   start ──▶ room ──▶ kernel            at most so many offered and not accepted yet
 *              └─────▶ another replica   when that one is idle
 * </pre>
 */
public final class StartQueue {
  private final int startsAhead;
  private final boolean shared;

  /** Starts with larger bodies never wait: waiting bodies are held in memory. */
  private final int maxBodyBytes;

  /** In order of arrival; an entry is removed in constant time. */
  private final SequencedSet<QueuedStart> waiting = new LinkedHashSet<>();

  /** Numbers of the starts that were offered to kernels and are not answered. */
  private final LongHashSet ahead = new LongHashSet();

  private long nowNanos;

  /** Begins a start. */
  public interface StartAction {
    void begin(ByteBuf body) throws ProblemException;
  }

  /** A start that waits; equal to itself only. */
  public static final class QueuedStart {
    private final HttpExchange httpExchange;
    private final ByteBuf body;
    private final StartAction startAction;
    private final long sinceNanos;

    private QueuedStart(
        HttpExchange httpExchange, ByteBuf body, StartAction startAction, long sinceNanos) {
      this.httpExchange = httpExchange;
      this.body = body;
      this.startAction = startAction;
      this.sinceNanos = sinceNanos;
    }

    public HttpExchange exchange() {
      return httpExchange;
    }

    /** The body of its request, a copy on the heap that needs no release. */
    ByteBuf body() {
      return body;
    }

    StartAction begin() {
      return startAction;
    }

    void run() {
      httpExchange.run(() -> startAction.begin(body.duplicate()));
    }
  }

  /**
   * An empty queue.
   *
   * @param limits bounds of starts that are offered to kernels and not accepted, and of waiting
   *     ones
   * @param shared whether there are other replicas; if not, nothing ever waits here
   */
  public StartQueue(RequestLimits limits, boolean shared) {
    this.startsAhead = limits.startsAhead();
    this.maxBodyBytes = limits.maxWaitingStartBytes();
    this.shared = shared;
  }

  /** Begins a start now, or queues it. */
  public void enqueue(HttpExchange httpExchange, ByteBuf body, StartAction startAction)
      throws ProblemException {
    boolean mayWait = shared && !httpExchange.fromPeer() && body.readableBytes() <= maxBodyBytes;
    if (mayWait && (ahead.size() >= startsAhead || !waiting.isEmpty())) {
      QueuedStart start =
          new QueuedStart(httpExchange, Unpooled.copiedBuffer(body), startAction, nowNanos);
      waiting.add(start);
      httpExchange.onEnd(() -> waiting.remove(start));
    } else {
      startAction.begin(body);
    }
  }

  /**
   * Begins a duty cycle.
   *
   * @return wait of the oldest start, in nanoseconds; 0 when none waits
   */
  public long oldestWaitNanos(long now) {
    nowNanos = now;
    return waiting.isEmpty() ? 0 : now - waiting.getFirst().sinceNanos;
  }

  /** Removes and returns all waiting starts. */
  public List<QueuedStart> takeAll() {
    List<QueuedStart> all = List.copyOf(waiting);
    waiting.clear();
    return all;
  }

  /**
   * Records that a start was offered to a kernel.
   *
   * @param request the number of its request
   */
  public void offered(long request) {
    ahead.add(request);
  }

  /** Records the answer of a kernel: if it is for a start, the kernel has taken or refused it. */
  public void taken(long request) {
    ahead.remove(request);
  }

  /** Begins the starts whose turn has come; returns how many. */
  public int release() {
    int released = 0;
    while (ahead.size() < startsAhead) {
      QueuedStart next = open(pollFirst());
      if (next == null) {
        break;
      }
      next.run();
      released++;
    }
    return released;
  }

  /** Whether {@link #release} would find something to do. */
  public boolean canRelease() {
    return ahead.size() < startsAhead && !waiting.isEmpty();
  }

  public boolean isEmpty() {
    return waiting.isEmpty();
  }

  /** Takes the start that would wait longest, for another replica; null when there is none. */
  @Nullable QueuedStart takeLast() {
    return open(waiting.isEmpty() ? null : waiting.removeLast());
  }

  /** The start taken, or the next one when its client has gone. */
  private @Nullable QueuedStart open(@Nullable QueuedStart taken) {
    QueuedStart next = taken;
    while (next != null && !next.exchange().isOpen()) {
      next = pollFirst();
    }
    return next;
  }

  private @Nullable QueuedStart pollFirst() {
    return waiting.isEmpty() ? null : waiting.removeFirst();
  }
}
