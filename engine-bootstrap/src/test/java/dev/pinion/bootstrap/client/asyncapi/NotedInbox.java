package dev.pinion.bootstrap.client.asyncapi;

import dev.pinion.core.model.WorkflowError;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** An inbox that keeps everything. */
final class NotedInbox implements MessageInbox {
  final List<InboundMessage> messages = new CopyOnWriteArrayList<>();
  final List<WorkflowError> failures = new CopyOnWriteArrayList<>();
  final AtomicInteger ends = new AtomicInteger();

  @Override
  public boolean put(InboundMessage message) {
    return messages.add(message);
  }

  @Override
  public boolean hasRoom() {
    return true;
  }

  @Override
  public boolean awaitRoom() {
    return true;
  }

  @Override
  public void failed(MessageFailure failure) {
    failures.add(failure.outcome().error());
  }

  @Override
  public void ended() {
    ends.incrementAndGet();
  }

  /** The payloads so far, as text. */
  List<String> payloads() {
    return messages.stream()
        .map(each -> new String(each.payload(), StandardCharsets.UTF_8))
        .toList();
  }
}
