package dev.pinion.core.invoker;

import dev.pinion.core.invoker.AddressSource.Family;
import dev.pinion.core.model.ReservedAddresses;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.util.concurrent.Future;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds an address of a service that accepts a connection (RFC 8305, "Happy Eyeballs").
 *
 * <pre>
 *   name ──▶ addresses of IPv6 ─┐
 *       └──▶ addresses of IPv4 ─┴─▶ first one ── 250 ms, or refused ──▶ next one … ──▶ the first that accepts
 * </pre>
 *
 * <p>IPv6 goes first and the families take turns. IPv4 alone waits 50 ms for addresses of IPv6. An
 * attempt that is slow goes on while the next one begins; those that lose are closed. Addresses
 * that calls may not go to are passed over, so what is checked is what is connected to.
 */
final class ConnectRace extends TimeoutQueue.Node<ConnectRace> {
  /** Time between attempts (RFC 8305, section 5). */
  static final int ATTEMPT_DELAY_MILLIS = 250;

  /** Time that addresses of IPv4 wait for those of IPv6 (RFC 8305, section 3). */
  static final int RESOLUTION_DELAY_MILLIS = 50;

  /** Addresses of one family that are tried. */
  private static final int MOST_ADDRESSES = 16;

  private static final int MOST_TOLD = 4;

  private final Connection connection;
  private final Origin origin;
  private final Network network;
  private final Deque<InetAddress> v6 = new ArrayDeque<>(2);
  private final Deque<InetAddress> v4 = new ArrayDeque<>(2);
  private final List<Channel> racing = new ArrayList<>(1);
  private final List<String> failures = new ArrayList<>(1);
  private int lookUps;
  private boolean begun;
  private boolean over;
  private boolean v4Next;
  private @Nullable InetAddress reserved;
  private @Nullable Throwable unknown;

  ConnectRace(Connection connection, Origin origin, Network network) {
    this.connection = connection;
    this.origin = origin;
    this.network = network;
  }

  /** Begins; the connection hears how it ends, perhaps before this method returns. */
  void start() {
    InetAddress literal = origin.literal();
    List<InetAddress> known =
        literal != null
            ? List.of(literal)
            : network.addresses.local(origin.host(), network.nowNanos());
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
    Future<List<InetAddress>> found = network.addresses.lookUp(origin.host(), family);
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
        network.attempting.add(this); // the attempts under way had no other address to wait for
      }
    } else if (lookUps == 0 || (family == Family.V6 && !v6.isEmpty())) {
      begin();
    } else if (!v4.isEmpty()) {
      network.resolving.add(this);
    }
  }

  private void add(InetAddress address) {
    Deque<InetAddress> family = address instanceof Inet6Address ? v6 : v4;
    if (family.size() < MOST_ADDRESSES) {
      family.add(address);
    }
  }

  /** It has waited long enough, for the other family or for an attempt. */
  void onDelayEnded() {
    if (begun) {
      tryNext();
    } else {
      begin();
    }
  }

  private void begin() {
    network.resolving.remove(this);
    begun = true;
    tryNext();
  }

  private void tryNext() {
    network.attempting.remove(this);
    for (InetAddress next = next(); next != null; next = next()) {
      if (network.isAllowed(next)) {
        attempt(next);
        return;
      }
      reserved = next;
    }
    if (racing.isEmpty() && lookUps == 0) {
      over = true;
      connection.onUnreachable(describeFailure(), reserved != null && failures.isEmpty());
    }
  }

  private @Nullable InetAddress next() {
    boolean takesV4 = v6.isEmpty() || (v4Next && !v4.isEmpty());
    v4Next = !takesV4;
    return takesV4 ? v4.poll() : v6.poll();
  }

  private void attempt(InetAddress address) {
    ChannelFuture attempt = network.connect(address, origin.port());
    // A channel that could not even be made tells its listeners on another thread.
    if (attempt.isDone()) {
      onAttempt(attempt);
      return;
    }
    racing.add(attempt.channel());
    attempt.addListener(ended -> onAttempt(attempt));
    if (!v4.isEmpty() || !v6.isEmpty()) {
      network.attempting.add(this);
    }
  }

  private void onAttempt(ChannelFuture attempt) {
    Channel channel = attempt.channel();
    racing.remove(channel);
    if (over) {
      if (attempt.isSuccess()) {
        ChannelFuture _ = channel.close();
      }
    } else if (attempt.isSuccess()) {
      end();
      connection.onConnected(channel);
    } else {
      if (failures.size() < MOST_TOLD) {
        failures.add(String.valueOf(attempt.cause().getMessage()));
      }
      tryNext();
    }
  }

  /** Gives up what is still under way. */
  void end() {
    over = true;
    network.resolving.remove(this);
    network.attempting.remove(this);
    List<Channel> losers = List.copyOf(racing);
    racing.clear();
    for (Channel loser : losers) {
      ChannelFuture _ = loser.close();
    }
  }

  /** Why nothing has come of it by the time to connect. */
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
    if (reserved != null) {
      return "expected a call of an address of a network, found "
          + origin.host()
          + " at one that is "
          + ReservedAddresses.KINDS
          + "; invoker.reservedAddresses=1 allows that";
    }
    return DnsFailures.describe(origin.host(), unknown);
  }
}
