package dev.pinion.bootstrap.client.grpc;

import dev.pinion.core.invoker.CallFailures;
import dev.pinion.core.invoker.http.DnsFailures;
import dev.pinion.core.invoker.http.HostResolver;
import dev.pinion.core.invoker.http.HostResolver.Family;
import dev.pinion.core.invoker.http.Origin;
import dev.pinion.core.invoker.http.ReservedAddresses;
import dev.pinion.core.limits.InvokerLimits;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.call.CallOutcome;
import io.netty.util.concurrent.Future;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the addresses of hosts to which calls may go, by the rules of calls over HTTP. On the
 * thread of one event loop.
 */
final class HostAddresses {
  /** Most addresses of a host that are tried. */
  private static final int MOST = 16;

  private final HostResolver resolver;
  private final InvokerLimits limits;
  private final Clock clock;

  /**
   * Addresses of hosts.
   *
   * @param resolver source of the addresses of names, on the same event loop
   */
  HostAddresses(HostResolver resolver, InvokerLimits limits, Clock clock) {
    this.resolver = resolver;
    this.limits = limits;
    this.clock = clock;
  }

  /** Told what was found. */
  interface AddressListener {
    /** Handles addresses to which calls may go, in the order in which they are tried. */
    void onAddresses(List<InetAddress> addresses);

    /** Handles the lack of any. */
    void onFailure(CallOutcome.Failed failure);
  }

  /** Looks for addresses; the listener is told once, perhaps before this method returns. */
  void find(Origin origin, AddressListener listener) {
    InetAddress literal = origin.literal();
    List<InetAddress> known =
        literal == null ? resolver.cached(origin.host(), clock.nanoTime()) : List.of(literal);
    if (known.isEmpty()) {
      new Search(origin.host(), listener).begin();
    } else {
      tell(origin.host(), known, null, listener);
    }
  }

  /** Closes what it needs. */
  void close() {
    resolver.close();
  }

  private void tell(
      String host, List<InetAddress> found, @Nullable Throwable failure, AddressListener listener) {
    List<InetAddress> allowed = new ArrayList<>();
    String refused = null;
    for (InetAddress each : found) {
      String refusal = ReservedAddresses.refusal(each, limits);
      if (refusal != null) {
        refused = refusal;
      } else if (allowed.size() < MOST) {
        allowed.add(each);
      }
    }
    if (!allowed.isEmpty()) {
      listener.onAddresses(List.copyOf(allowed));
    } else if (refused == null) {
      listener.onFailure(CallFailures.communication(DnsFailures.describe(host, failure)));
    } else {
      listener.onFailure(
          CallFailures.of(ErrorType.AUTHORIZATION, ReservedAddresses.problem(host, refused)));
    }
  }

  /** A look-up of a name in both families. */
  private final class Search {
    private final String host;
    private final AddressListener listener;
    private final List<InetAddress> found = new ArrayList<>();
    private int pending = Family.values().length;
    private @Nullable Throwable failure;

    Search(String host, AddressListener listener) {
      this.host = host;
      this.listener = listener;
    }

    void begin() {
      for (Family family : Family.values()) {
        Future<List<InetAddress>> answer = resolver.lookUp(host, family);
        answer.addListener(ended -> onAnswer(answer));
      }
    }

    private void onAnswer(Future<List<InetAddress>> answer) {
      if (answer.isSuccess()) {
        found.addAll(answer.getNow());
      } else if (failure == null || DnsFailures.isSilence(answer.cause())) {
        failure = answer.cause();
      }
      if (--pending == 0) {
        tell(host, taking(found), failure, listener);
      }
    }
  }

  /** The families take turns, IPv6 first. */
  private static List<InetAddress> taking(List<InetAddress> found) {
    Deque<InetAddress> v6 = new ArrayDeque<>();
    Deque<InetAddress> v4 = new ArrayDeque<>();
    found.forEach(each -> (each instanceof Inet6Address ? v6 : v4).add(each));
    List<InetAddress> ordered = new ArrayList<>(found.size());
    while (!v6.isEmpty() || !v4.isEmpty()) {
      if (!v6.isEmpty()) {
        ordered.add(v6.remove());
      }
      if (!v4.isEmpty()) {
        ordered.add(v4.remove());
      }
    }
    return ordered;
  }
}
