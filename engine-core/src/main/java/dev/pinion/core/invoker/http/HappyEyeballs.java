package dev.pinion.core.invoker.http;

import dev.pinion.core.invoker.TimeoutQueue;
import dev.pinion.core.invoker.http.HostResolver.Family;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.util.concurrent.Future;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Finds an address of a service that accepts a connection (RFC 8305, "Happy Eyeballs").
 *
 * <pre>
 *   name ──▶ addresses of IPv6 ─┐
 *       └──▶ addresses of IPv4 ─┴─▶ first one ── 250 ms, or refused ──▶ next one … ──▶ the first that accepts
 * </pre>
 *
 * <p>IPv6 goes first and the families take turns. IPv4 alone waits 50 ms for addresses of IPv6. A
 * slow attempt continues while the next one begins; the losers are closed. At most two race, and
 * only where {@code invoker.maxConnections} leaves room for the second: else the older one is
 * abandoned. Addresses that calls may not reach are skipped, so the checked address is the one that
 * is connected.
 */
final class HappyEyeballs extends TimeoutQueue.TimeoutNode<HappyEyeballs> {
  /** Time between attempts (RFC 8305, section 5). */
  static final int ATTEMPT_DELAY_MILLIS = 250;

  /** Time that addresses of IPv4 wait for those of IPv6 (RFC 8305, section 3). */
  static final int RESOLUTION_DELAY_MILLIS = 50;

  /** Most addresses of one family that are tried. */
  private static final int MOST_ADDRESSES = 16;

  private static final int MOST_RACING = 2;

  private static final int MOST_TOLD = 4;

  private final RaceListener raceListener;
  private final Origin origin;
  private final ConnectionContext connectionContext;
  private final Delays delays;
  private final Deque<InetAddress> v6 = new ArrayDeque<>(2);
  private final Deque<InetAddress> v4 = new ArrayDeque<>(2);
  private final Deque<Attempt> racing = new ArrayDeque<>(2);
  private final List<String> failures = new ArrayList<>(1);
  private int lookUps;
  private boolean begun;
  private boolean over;
  private boolean v4Next;

  /** Whether the budget of connections has granted a place for a second attempt. */
  private boolean hasSecondPlace;

  /** What an address is that was passed over, as calls may not reach it. */
  private @Nullable String refused;

  private @Nullable Throwable unknown;

  /** The races of an event loop that wait for a moment. */
  static final class Delays {
    /** Races that try the next address when an attempt has taken its time. */
    final TimeoutQueue<HappyEyeballs> attempting =
        new TimeoutQueue<>(TimeUnit.MILLISECONDS.toNanos(ATTEMPT_DELAY_MILLIS));

    /** Races that have addresses of IPv4 and wait for those of IPv6. */
    final TimeoutQueue<HappyEyeballs> resolving =
        new TimeoutQueue<>(TimeUnit.MILLISECONDS.toNanos(RESOLUTION_DELAY_MILLIS));
  }

  private record Attempt(Channel channel, InetAddress address) {}

  /** The connection that races for an address. */
  interface RaceListener {
    /** Handles a connected channel. */
    void onConnected(Channel connected);

    /**
     * Handles the end of the race: no address of the service accepts a connection.
     *
     * @param forbidden whether calls may reach none of them
     */
    void onUnreachable(String detail, boolean forbidden);
  }

  HappyEyeballs(
      RaceListener raceListener,
      Origin origin,
      ConnectionContext connectionContext,
      Delays delays) {
    this.raceListener = raceListener;
    this.origin = origin;
    this.delays = delays;
    this.connectionContext = connectionContext;
  }

  /**
   * Begins the race; the connection is notified of the result, perhaps before this method returns.
   */
  void start() {
    InetAddress literal = origin.literal();
    List<InetAddress> known =
        literal != null
            ? List.of(literal)
            : connectionContext.addresses.cached(origin.host(), connectionContext.nowNanos());
    if (!known.isEmpty()) {
      known.forEach(this::add);
      begin();
      return;
    }
    lookUps = 2;
    lookUp(Family.V6);
    lookUp(Family.V4);
  }

  private void lookUp(Family family) {
    if (over) {
      return; // the other family has ended it at once
    }
    Future<List<InetAddress>> found = connectionContext.addresses.lookUp(origin.host(), family);
    if (found.isDone()) {
      found(family, found);
    } else {
      found.addListener(later -> found(family, found));
    }
  }

  private void found(Family family, Future<List<InetAddress>> found) {
    lookUps--;
    if (over) {
      return;
    }
    if (found.isSuccess()) {
      found.getNow().forEach(this::add);
    } else if (unknown == null || DnsFailures.isSilence(found.cause())) {
      unknown = found.cause();
    }
    if (begun) {
      if (racing.isEmpty()) {
        tryNext();
      } else if (queue == null && !(v4.isEmpty() && v6.isEmpty())) {
        delays.attempting.add(this); // the attempts so far had no other address to wait for
      }
    } else if (lookUps == 0 || (family == Family.V6 && !v6.isEmpty())) {
      begin();
    } else if (!v4.isEmpty()) {
      delays.resolving.add(this);
    }
  }

  private void add(InetAddress address) {
    Deque<InetAddress> family = address instanceof Inet6Address ? v6 : v4;
    if (family.size() < MOST_ADDRESSES) {
      family.add(address);
    }
  }

  /** Ends the wait for the other family or for an attempt. */
  void onDelayEnded() {
    if (begun) {
      tryNext();
    } else {
      begin();
    }
  }

  private void begin() {
    delays.resolving.remove(this);
    begun = true;
    tryNext();
  }

  private void tryNext() {
    delays.attempting.remove(this);
    for (InetAddress next = next(); next != null; next = next()) {
      String refusal = connectionContext.refusal(next);
      if (refusal == null) {
        attempt(next);
        return;
      }
      refused = refusal;
    }
    if (racing.isEmpty() && lookUps == 0) {
      over = true;
      raceListener.onUnreachable(describeFailure(), refused != null && failures.isEmpty());
    }
  }

  private @Nullable InetAddress next() {
    boolean takesV4 = v6.isEmpty() || (v4Next && !v4.isEmpty());
    v4Next = !takesV4;
    return takesV4 ? v4.poll() : v6.poll();
  }

  private void attempt(InetAddress address) {
    if (!hasRoom()) {
      giveUpOldest();
    }
    ChannelFuture connecting = connectionContext.connect(address, origin.port());
    Attempt attempt = new Attempt(connecting.channel(), address);
    racing.add(attempt);
    // A channel that could not even be created notifies its listeners on another thread.
    if (connecting.isDone()) {
      onAttempt(attempt, connecting);
      return;
    }
    connecting.addListener(ended -> onAttempt(attempt, connecting));
    if (!v4.isEmpty() || !v6.isEmpty()) {
      delays.attempting.add(this);
    }
  }

  private boolean hasRoom() {
    if (racing.isEmpty()) {
      return true; // takes over the connection's place
    }
    hasSecondPlace = hasSecondPlace || connectionContext.budget.takeUnused();
    return hasSecondPlace && racing.size() < MOST_RACING;
  }

  private void giveUpOldest() {
    Attempt oldest = racing.remove();
    tell("silent: " + oldest.address.getHostAddress());
    ChannelFuture _ = oldest.channel.close();
  }

  private void onAttempt(Attempt attempt, ChannelFuture ended) {
    if (!racing.remove(attempt)) {
      ChannelFuture _ = attempt.channel.close(); // abandoned, but connected all the same
    } else if (ended.isSuccess()) {
      end();
      raceListener.onConnected(attempt.channel);
    } else {
      tell(String.valueOf(ended.cause().getMessage()));
      tryNext();
      leaveSecondPlace();
    }
  }

  private void leaveSecondPlace() {
    if (hasSecondPlace && racing.size() < MOST_RACING) {
      hasSecondPlace = false;
      connectionContext.budget.giveBack();
    }
  }

  private void tell(String failure) {
    if (failures.size() < MOST_TOLD) {
      failures.add(failure);
    }
  }

  /** Abandons the attempts in progress. */
  void end() {
    over = true;
    delays.resolving.remove(this);
    delays.attempting.remove(this);
    List<Attempt> losers = List.copyOf(racing);
    racing.clear();
    for (Attempt loser : losers) {
      ChannelFuture _ = loser.channel.close();
    }
    leaveSecondPlace();
  }

  /** Description of why there is no connection in time. */
  String describeTimeout(int millis) {
    String within = " within " + millis + " ms (invoker.connectTimeoutMillis), found ";
    return begun && (failures.isEmpty() || !racing.isEmpty())
        ? "expected " + origin + " to accept a connection" + within + "it silent"
        : DnsFailures.expected(origin.host()) + within + "them silent: the look-up timed out";
  }

  private String describeFailure() {
    if (!failures.isEmpty()) {
      return "expected "
          + origin
          + " to accept a connection, found: "
          + String.join("; ", failures);
    }
    if (refused != null) {
      return ReservedAddresses.problem(origin.host(), refused);
    }
    return DnsFailures.describe(origin.host(), unknown);
  }
}
