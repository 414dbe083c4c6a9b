package dev.pinion.handlers.remote;

import dev.pinion.handlers.remote.protocol.RemoteLimits;
import dev.pinion.handlers.remote.protocol.RemoteTimeouts;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** Known live hosts. For use by any thread. */
final class LiveHosts {
  private final Map<UUID, Long> lastSeen = new ConcurrentHashMap<>();
  private final long silenceNanos;
  private final long quietNanos;
  private final int most;
  private volatile long trustedUntil;
  private volatile boolean trusting;
  private volatile long ownNanos;
  private volatile boolean own;

  LiveHosts(RemoteTimeouts times, RemoteLimits limits) {
    this.silenceNanos = times.silence().toNanos();
    this.quietNanos = 2 * times.heartbeat().toNanos();
    this.most = limits.maxHosts();
  }

  /** Records a sign of life; returns false when there are too many hosts to track this one. */
  boolean onHeartbeat(UUID host, long nowNanos) {
    if (lastSeen.size() >= most && !lastSeen.containsKey(host)) {
      lastSeen.values().removeIf(seen -> nowNanos - seen > silenceNanos);
      if (lastSeen.size() >= most) {
        return false;
      }
    }
    lastSeen.put(host, nowNanos);
    return true;
  }

  /** Records that a host leaves. */
  void onLeave(UUID host) {
    lastSeen.remove(host);
  }

  /** Records a lost connection: silence before this proves nothing. */
  void suspendExpiry(long nowNanos) {
    trustedUntil = nowNanos + silenceNanos;
    trusting = true;
  }

  /** Records that a heartbeat of this process has come back. */
  void onOwnHeartbeat(long nowNanos) {
    ownNanos = nowNanos;
    own = true;
  }

  /** Whether own heartbeats come back, so that the silence of others proves something. */
  boolean isReceiving(long nowNanos) {
    return own && nowNanos - ownNanos <= quietNanos;
  }

  /** Whether the last sign of life is recent enough to ask the host. */
  boolean isResponsive(UUID host, long nowNanos) {
    Long seen = lastSeen.get(host);
    return seen != null && nowNanos - seen <= quietNanos;
  }

  /** Number of known live hosts. */
  int count(long nowNanos) {
    return (int) lastSeen.values().stream().filter(seen -> nowNanos - seen <= silenceNanos).count();
  }

  boolean isLive(UUID host, long nowNanos) {
    if (trusting && nowNanos - trustedUntil < 0) {
      return true;
    }
    Long seen = lastSeen.get(host);
    return seen != null && nowNanos - seen <= silenceNanos;
  }
}
