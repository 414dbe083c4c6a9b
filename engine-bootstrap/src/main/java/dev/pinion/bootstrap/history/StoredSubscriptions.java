package dev.pinion.bootstrap.history;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.bootstrap.history.publish.Subscription;
import dev.pinion.bootstrap.history.publish.SubscriptionStore;
import dev.pinion.core.model.Payload;
import dev.pinion.core.spi.HistoryUnavailableException;
import dev.pinion.core.spi.Subscriptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Subscriptions from their files, with their status from the database. For any thread. */
final class StoredSubscriptions implements Subscriptions {
  private final SubscriptionStore folder;
  private final HistoryReader database;

  StoredSubscriptions(SubscriptionStore folder, HistoryReader database) {
    this.folder = folder;
    this.database = database;
  }

  @Override
  public Payload subscription(Payload wish)
      throws InvalidSubscriptionException, HistoryUnavailableException {
    try {
      return folder.create(wish).toPayload();
    } catch (IOException e) {
      throw unavailable(e);
    }
  }

  @Override
  public @Nullable Payload find(String id) throws HistoryUnavailableException {
    try {
      Subscription found = folder.find(id);
      return found == null ? null : withStatus(found);
    } catch (IOException e) {
      throw unavailable(e);
    }
  }

  @Override
  public List<Payload> list() throws HistoryUnavailableException {
    try {
      List<Payload> all = new ArrayList<>();
      for (Subscription each : folder.list()) {
        all.add(each.toPayload());
      }
      return all;
    } catch (IOException e) {
      throw unavailable(e);
    }
  }

  @Override
  public @Nullable Payload change(String id, Payload changes)
      throws InvalidSubscriptionException, HistoryUnavailableException {
    try {
      Subscription changed = folder.change(id, changes);
      return changed == null ? null : changed.toPayload();
    } catch (IOException e) {
      throw unavailable(e);
    }
  }

  @Override
  public boolean delete(String id) throws HistoryUnavailableException {
    try {
      return folder.delete(id);
    } catch (IOException e) {
      throw unavailable(e);
    }
  }

  /** The status is omitted while it is unknown. */
  private Payload withStatus(Subscription subscription) {
    try {
      Payload status = database.status(subscription.id());
      return status == null ? subscription.toPayload() : with(status, subscription);
    } catch (HistoryUnavailableException e) {
      return subscription.toPayload();
    }
  }

  private static Payload with(Payload status, Subscription subscription) {
    Map<String, Payload> members = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> member : subscription.toPayload().json().properties()) {
      members.put(member.getKey(), Payload.of(member.getValue()));
    }
    members.put("status", status);
    return Payload.object(members);
  }

  private static HistoryUnavailableException unavailable(IOException e) {
    return new HistoryUnavailableException(
        "the folder of subscriptions cannot be used now: " + e.getMessage(), e);
  }
}
