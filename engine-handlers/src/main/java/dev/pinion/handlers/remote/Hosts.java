package dev.pinion.handlers.remote;

import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** Which hosts live, as far as can be told here. For use by any thread. */
final class Hosts {
  private final Map<UUID, Long> lastSeen = new ConcurrentHashMap<>();
  private final long silenceNanos;
  private final long quietNanos;
  private final int most;
  private volatile long trustedUntil;
  private volatile boolean trusting;
  private volatile long ownNanos;
  private volatile boolean own;

  Hosts(RemoteTimes times, RemoteLimits limits) {
    this.silenceNanos = times.silence().toNanos();
    this.quietNanos = 2 * times.beat().toNanos();
    this.most = limits.maxHosts();
  }

  /** A host has said something; answers false when there are too many to keep track of it. */
  boolean seen(UUID host, long nowNanos) {
    if (lastSeen.size() >= most && !lastSeen.containsKey(host)) {
      lastSeen.values().removeIf(seen -> nowNanos - seen > silenceNanos);
      if (lastSeen.size() >= most) {
        return false;
      }
    }
    lastSeen.put(host, nowNanos);
    return true;
  }

  /** A host has said that it leaves. */
  void gone(UUID host) {
    lastSeen.remove(host);
  }

  /** There was no connection: silence until now says nothing. */
  void trust(long nowNanos) {
    trustedUntil = nowNanos + silenceNanos;
    trusting = true;
  }

  /** A beat of this process itself has come back. */
  void ownBeat(long nowNanos) {
    ownNanos = nowNanos;
    own = true;
  }

  /** Whether own beats come back, so that the silence of others says something. */
  boolean hears(long nowNanos) {
    return own && nowNanos - ownNanos <= quietNanos;
  }

  /** Whether it was heard of so lately that it can be asked. */
  boolean speaks(UUID host, long nowNanos) {
    Long seen = lastSeen.get(host);
    return seen != null && nowNanos - seen <= quietNanos;
  }

  /** How many live, as far as can be told here. */
  int count(long nowNanos) {
    return (int) lastSeen.values().stream().filter(seen -> nowNanos - seen <= silenceNanos).count();
  }

  boolean lives(UUID host, long nowNanos) {
    if (trusting && nowNanos - trustedUntil < 0) {
      return true;
    }
    Long seen = lastSeen.get(host);
    return seen != null && nowNanos - seen <= silenceNanos;
  }
}
