package dev.pinion.bootstrap.history.publish;

import dev.pinion.core.model.Clock;
import dev.pinion.core.model.instance.HistoryEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The subscriptions in force at the last check of the publishing thread. Used by one thread.
 *
 * <p>A check costs one query for the folder's modification time: every change of a subscription is
 * a rename or a deletion in it. That time is trusted only when it is older than a clock tick of
 * file systems.
 */
public final class ActiveSubscriptions {
  private static final long TICK_MILLIS = 100;

  private final SubscriptionStore folder;
  private final Clock clock;

  /** Those of the configuration. */
  private List<Subscription> standing = List.of();

  private List<Subscription> all = List.of();
  private @Nullable FileTime seen;
  private long nextExpiryMillis = Long.MAX_VALUE;

  /** Subscriptions of an unread folder. */
  public ActiveSubscriptions(SubscriptionStore folder, Clock clock) {
    this.folder = folder;
    this.clock = clock;
  }

  /** Adds those of the configuration; before the first check. */
  public void add(List<Subscription> ofConfiguration) {
    standing = List.copyOf(ofConfiguration);
    all = standing;
  }

  /**
   * Checks for changes.
   *
   * @return whether the folder was read again
   */
  public boolean refresh() throws IOException {
    long now = clock.epochMillis();
    if (!Files.isDirectory(folder.path())) {
      return false;
    }
    FileTime time = Files.getLastModifiedTime(folder.path());
    if (time.equals(seen) && now < nextExpiryMillis) {
      return false;
    }
    all = Stream.concat(standing.stream(), folder.list().stream()).toList();
    boolean settled = Math.abs(now - time.toMillis()) > TICK_MILLIS;
    seen = settled ? time : null;
    nextExpiryMillis =
        all.stream().mapToLong(Subscription::expiresMillis).min().orElse(Long.MAX_VALUE);
    return true;
  }

  /** Subscriptions in force. */
  public List<Subscription> all() {
    return all;
  }

  /** Whether any subscription selects an event. */
  public boolean matches(HistoryEvent event) {
    for (Subscription each : all) {
      if (each.matches(event.kind(), event.definition().namespace(), event.definition().name())) {
        return true;
      }
    }
    return false;
  }
}
