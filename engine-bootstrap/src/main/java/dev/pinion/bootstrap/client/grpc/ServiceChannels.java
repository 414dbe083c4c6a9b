package dev.pinion.bootstrap.client.grpc;

import dev.pinion.core.invoker.CallFailures;
import dev.pinion.core.invoker.http.Origin;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.call.CallOutcome;
import io.grpc.ManagedChannel;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The channels to services, at most one to each for new calls. A channel that is unused, old or
 * broken is closed when its last call has ended. On the thread of one event loop.
 */
final class ServiceChannels {
  private final EventLoop loop;
  private final EngineLimits limits;
  private final Clock clock;
  private final HostAddresses addresses;
  private final BiFunction<Origin, List<InetAddress>, ManagedChannel> opener;

  /** In the order of the last use. */
  private final Map<Origin, ServiceEntry> entries = new LinkedHashMap<>(16, 0.75f, true);

  /**
   * No channels.
   *
   * @param opener opens a channel to a service at some of its addresses
   */
  ServiceChannels(
      EventLoop loop,
      EngineLimits limits,
      Clock clock,
      HostAddresses addresses,
      BiFunction<Origin, List<InetAddress>, ManagedChannel> opener) {
    this.loop = loop;
    this.limits = limits;
    this.clock = clock;
    this.addresses = addresses;
    this.opener = opener;
  }

  /** Told about the channel that it asked for. */
  interface ChannelListener {
    /** Handles a channel, which has to be given back. */
    void onChannel(LentChannel lent);

    /** Handles the lack of one. */
    void onFailure(CallOutcome.Failed failure);
  }

  /** A channel for one call. */
  final class LentChannel {
    private final ServiceEntry entry;
    private final ManagedChannel channel;
    private boolean returned;

    private LentChannel(ServiceEntry entry, ManagedChannel channel) {
      this.entry = entry;
      this.channel = channel;
    }

    ManagedChannel channel() {
      return channel;
    }

    /**
     * Gives the channel back, once.
     *
     * @param broken whether further calls need another one
     */
    void giveBack(boolean broken) {
      if (returned) {
        return;
      }
      returned = true;
      if (broken) {
        entries.remove(entry.origin, entry);
        entry.retired = true;
      }
      entry.onReturned();
    }
  }

  /** Asks for a channel; the listener is told once, perhaps before this method returns. */
  void take(Origin origin, ChannelListener listener) {
    ServiceEntry entry = entries.get(origin);
    if (entry != null && entry.isTooOld()) {
      entries.remove(origin);
      entry.retire();
      entry = null;
    }
    if (entry == null) {
      if (entries.size() >= limits.protocol().maxServices() && !closeUnused()) {
        listener.onFailure(
            CallFailures.of(
                ErrorType.RUNTIME,
                "expected at most "
                    + limits.protocol().maxServices()
                    + " gRPC services at a time (protocol.maxServices), found more"));
        return;
      }
      entry = new ServiceEntry(origin);
      entries.put(origin, entry);
    }
    entry.lend(listener);
  }

  /** Number of services with a channel, or with one to come. */
  int size() {
    return entries.size();
  }

  /** Closes the channel that was unused for longest; returns false when all are in use. */
  private boolean closeUnused() {
    for (Iterator<ServiceEntry> each = entries.values().iterator(); each.hasNext(); ) {
      ServiceEntry entry = each.next();
      if (entry.isUnused()) {
        each.remove();
        entry.retire();
        return true;
      }
    }
    return false;
  }

  /** Closes every channel at once. */
  void close() {
    entries.values().forEach(ServiceEntry::closeNow);
    entries.clear();
    addresses.close();
  }

  /** The channel to one service. */
  private final class ServiceEntry implements HostAddresses.AddressListener {
    private final Origin origin;
    private final List<ChannelListener> waiting = new ArrayList<>();
    private @Nullable ManagedChannel channel;
    private @Nullable ScheduledFuture<?> idle;
    private long openedNanos;
    private int calls;
    private boolean retired;

    ServiceEntry(Origin origin) {
      this.origin = origin;
    }

    boolean isTooOld() {
      long most = TimeUnit.MILLISECONDS.toNanos(limits.invoker().connectionAgeMillis());
      return channel != null && clock.nanoTime() - openedNanos >= most;
    }

    boolean isUnused() {
      return channel != null && calls == 0;
    }

    void lend(ChannelListener listener) {
      ManagedChannel open = channel;
      if (open != null) {
        lend(open, listener);
        return;
      }
      waiting.add(listener);
      if (waiting.size() == 1) {
        addresses.find(origin, this);
      }
    }

    private void lend(ManagedChannel open, ChannelListener listener) {
      calls++;
      if (idle != null) {
        idle.cancel(false);
        idle = null;
      }
      listener.onChannel(new LentChannel(this, open));
    }

    @Override
    public void onAddresses(List<InetAddress> found) {
      ManagedChannel open;
      try {
        open = opener.apply(origin, found);
      } catch (RuntimeException e) {
        onFailure(CallFailures.of(ErrorType.RUNTIME, "no channel could be opened: " + e));
        return;
      }
      channel = open;
      openedNanos = clock.nanoTime();
      List<ChannelListener> served = List.copyOf(waiting);
      waiting.clear();
      served.forEach(each -> lend(open, each));
    }

    @Override
    public void onFailure(CallOutcome.Failed failure) {
      entries.remove(origin, this);
      List<ChannelListener> served = List.copyOf(waiting);
      waiting.clear();
      served.forEach(each -> each.onFailure(failure));
    }

    void onReturned() {
      calls--;
      if (calls > 0) {
        return;
      }
      if (retired) {
        retire();
      } else {
        idle =
            loop.schedule(
                this::onIdle, limits.invoker().idleTimeoutMillis(), TimeUnit.MILLISECONDS);
      }
    }

    private void onIdle() {
      if (calls == 0 && !retired) {
        entries.remove(origin, this);
        retire();
      }
    }

    /** Closes the channel, now or when its last call has ended. */
    void retire() {
      retired = true;
      if (calls == 0 && channel != null) {
        ManagedChannel _ = channel.shutdown();
      }
    }

    void closeNow() {
      retired = true;
      if (channel != null) {
        ManagedChannel _ = channel.shutdownNow();
      }
    }
  }
}
