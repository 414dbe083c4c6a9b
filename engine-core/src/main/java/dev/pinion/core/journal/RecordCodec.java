package dev.pinion.core.journal;

import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.codec.PayloadSyntaxException;
import dev.pinion.core.message.Event;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.model.instance.ParentLink;
import dev.pinion.core.model.instance.ParentTask;
import dev.pinion.core.model.instance.SerializedInstance;
import dev.pinion.core.model.instance.StartKey;
import dev.pinion.core.model.instance.Tags;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Codec of records on disk. Single-threaded.
 *
 * <pre>
 *   id 8 | sequence 4 | monotonic time 8 | wall-clock time 8 | advances 8 | event by its kind
 * </pre>
 *
 * <p>Numbers are big-endian, texts and JSON follow their length in bytes. Receivers of replies are
 * not written: no client outlives the process. Neither is the result of an evaluation, which is the
 * same when it is repeated; only its error is.
 */
public final class RecordCodec {
  /** Start of an instance. */
  public static final byte START = 1;

  /** End of a call. */
  public static final byte CALL_ENDED = 2;

  /** End of an evaluation that was made on another thread. */
  public static final byte EVALUATED = 3;

  /** A timer fired. */
  public static final byte TIMER_FIRED = 4;

  /** Cancellation. */
  public static final byte CANCEL = 5;

  /** Failed check for room. */
  public static final byte FOUND_NO_ROOM = 6;

  /** Suspension. */
  public static final byte SUSPEND = 7;

  /** End of a suspension. */
  public static final byte RESUME = 8;

  /** Progress of an instance. */
  public static final byte ADVANCED = 9;

  /** Start of an instance with tags. */
  public static final byte TAGGED_START = 10;

  /** Retry of an instance that had faulted. */
  public static final byte RETRIED = 11;

  /** Binding of a call to a service. */
  public static final byte BOUND = 12;

  /** Start of an instance by a task of another one. */
  public static final byte CHILD_START = 13;

  /** A CloudEvent for a task that listens. */
  public static final byte EVENT_RECEIVED = 14;

  /** Follows a cancellation without compensation. */
  private static final byte AT_ONCE = 1;

  private static final byte ANSWERED = 1;
  private static final byte FAILED = 2;

  private final PayloadCodec payloads;
  private final RecordBuffer buffer = new RecordBuffer();

  /** A codec that uses another for payloads. */
  public RecordCodec(PayloadCodec payloads) {
    this.payloads = payloads;
  }

  /** Whether a kind is an event of an instance. */
  public static boolean isEvent(byte kind) {
    return kind >= START && kind <= EVENT_RECEIVED;
  }

  /**
   * The published name of a kind, as {@code journal dump} prints it. A name never changes, whatever
   * the class of the event is called.
   *
   * @throws IllegalArgumentException if the kind is no event of an instance
   */
  public static String eventName(byte kind) {
    return switch (kind) {
      case START, TAGGED_START -> "Start";
      case CALL_ENDED -> "InvocationDone";
      case EVALUATED -> "Evaluated";
      case TIMER_FIRED -> "TimerFired";
      case CANCEL -> "Cancel";
      case FOUND_NO_ROOM -> "FoundNoRoom";
      case SUSPEND -> "Suspend";
      case RESUME -> "Resume";
      case ADVANCED -> "Advanced";
      case RETRIED -> "Retried";
      case BOUND -> "Bound";
      case CHILD_START -> "ChildStart";
      case EVENT_RECEIVED -> "EventReceived";
      default -> throw new IllegalArgumentException("expected the kind of an event, found " + kind);
    };
  }

  /**
   * An encoded record.
   *
   * @param kind kind of the record
   * @param payload its bytes, valid until the next record is encoded
   */
  public record Encoded(byte kind, ByteBuffer payload) {}

  /** Writes a record. */
  public Encoded encode(JournalRecord record) {
    buffer.clear();
    buffer.putLong(record.id().value());
    buffer.putInt(record.sequence());
    buffer.putLong(record.nowNanos());
    buffer.putLong(record.epochMillis());
    buffer.putLong(record.advances());
    byte kind =
        switch (record.event()) {
          case Event.Started start -> start(start);
          case Event.CallCompleted done -> {
            put(done);
            yield CALL_ENDED;
          }
          case Event.ExpressionEvaluated expressionEvaluated -> {
            buffer.putInt(expressionEvaluated.activity());
            buffer.putInt(expressionEvaluated.attempt());
            put(expressionEvaluated.error());
            yield EVALUATED;
          }
          case Event.TimerFired fired -> {
            buffer.putInt(fired.activity());
            buffer.putInt(fired.timer());
            buffer.putInt(fired.attempt());
            yield TIMER_FIRED;
          }
          case Event.EventReceived received -> {
            put(received);
            yield EVENT_RECEIVED;
          }
          case Event.Cancelled cancelled -> {
            if (!cancelled.compensates()) {
              buffer.put(AT_ONCE);
            }
            yield CANCEL;
          }
          case Event.Suspended _ -> SUSPEND;
          case Event.Resumed _ -> RESUME;
          case Event.TurnsCompleted _ -> ADVANCED;
          case Event.MemoryExceeded found -> {
            buffer.putInt(found.check());
            yield FOUND_NO_ROOM;
          }
          case Event.Retried retried -> {
            buffer.putBytes(retried.state().bytes());
            yield RETRIED;
          }
          case Event.ServiceBound serviceBound -> {
            buffer.putInt(serviceBound.activity());
            buffer.putInt(serviceBound.attempt());
            buffer.putText(serviceBound.service());
            buffer.putText(serviceBound.to());
            yield BOUND;
          }
        };
    return new Encoded(kind, buffer.written());
  }

  /** Writes a start; returns its kind. */
  private byte start(Event.Started start) {
    put(start.definition());
    buffer.putLong(start.fingerprint());
    put(start.input());
    ParentLink parent = start.parent();
    if (parent != null) {
      put(start.tags());
      put(parent);
      return CHILD_START;
    }
    if (start.tags().isEmpty()) {
      put(start.key());
      return START;
    }
    put(start.tags());
    put(start.key());
    return TAGGED_START;
  }

  private void put(ParentLink parent) {
    buffer.putLong(parent.id().value());
    buffer.putText(parent.task().pointer());
    buffer.putInt(parent.activity());
    buffer.putInt(parent.attempt());
    buffer.putInt(parent.depth());
    buffer.put((byte) (parent.awaited() ? 1 : 0));
    buffer.putLong(parent.progress());
  }

  private static ParentLink parent(ByteBuffer from) {
    ParentTask task = new ParentTask(new InstanceId(from.getLong()), text(from));
    return new ParentLink(
        task, from.getInt(), from.getInt(), from.getInt(), from.get() != 0, from.getLong());
  }

  private void put(Event.CallCompleted done) {
    buffer.putInt(done.activity());
    buffer.putInt(done.attempt());
    switch (done.outcome()) {
      case CallOutcome.Succeeded succeeded -> {
        buffer.put(ANSWERED);
        put(succeeded.output());
      }
      case CallOutcome.Failed failed -> {
        buffer.put(FAILED);
        put(failed.error());
      }
      case CallOutcome.Aborted _ ->
          throw new IllegalStateException("expected no record of an aborted call");
    }
  }

  private void put(Event.EventReceived received) {
    buffer.putInt(received.activity());
    buffer.putInt(received.attempt());
    buffer.putLong(received.position());
    buffer.putInt(received.filter());
    buffer.putInt(received.correlated().size());
    received.correlated().forEach(value -> put(Payload.of(value)));
    put(received.event());
  }

  private void put(DefinitionKey key) {
    buffer.putText(key.namespace());
    buffer.putText(key.name());
    buffer.putText(key.version());
  }

  private void put(@Nullable WorkflowError error) {
    buffer.put((byte) (error == null ? 0 : 1));
    if (error != null) {
      buffer.putText(error.type());
      buffer.putInt(error.status());
      buffer.putText(error.title());
      buffer.putText(error.detail());
      buffer.putText(error.instance());
    }
  }

  /** Writes nothing for a start without a key. */
  private void put(@Nullable StartKey key) {
    if (key != null) {
      buffer.putLong(key.high());
      buffer.putLong(key.low());
      buffer.putLong(key.bodyHigh());
      buffer.putLong(key.bodyLow());
    }
  }

  private void put(Tags tags) {
    buffer.putText(tags.businessKey());
    buffer.putInt(tags.labels().size());
    tags.labels()
        .forEach(
            (name, value) -> {
              buffer.putText(name);
              buffer.putText(value);
            });
  }

  private static Tags tags(ByteBuffer from) {
    String businessKey = RecordBuffer.text(from);
    Map<String, String> labels = new TreeMap<>();
    for (int left = from.getInt(); left > 0; left--) {
      labels.put(text(from), text(from));
    }
    return new Tags(businessKey, labels);
  }

  private void put(Payload payload) {
    buffer.putBytes(payloads.toExactBytes(payload));
  }

  /**
   * Reads a record.
   *
   * @param kind kind of the record
   * @param payload its bytes, from position to limit
   * @throws IOException when the bytes are no record of that kind; the message says what was
   *     expected
   */
  public JournalRecord decode(byte kind, ByteBuffer payload) throws IOException {
    try {
      InstanceId id = new InstanceId(payload.getLong());
      int sequence = payload.getInt();
      long nowNanos = payload.getLong();
      long epochMillis = payload.getLong();
      long advances = payload.getLong();
      Event event = event(kind, id, payload);
      if (payload.hasRemaining()) {
        throw new IOException(
            "expected the end of a record of kind " + kind + ", found further bytes: " + payload);
      }
      return new JournalRecord(id, sequence, nowNanos, epochMillis, advances, event);
    } catch (BufferUnderflowException | IllegalArgumentException | PayloadSyntaxException e) {
      throw new IOException("expected a record of kind " + kind + ", found: " + e.getMessage(), e);
    }
  }

  private Event event(byte kind, InstanceId id, ByteBuffer from)
      throws IOException, PayloadSyntaxException {
    return switch (kind) {
      case START, TAGGED_START, CHILD_START -> {
        DefinitionKey definition = definition(from);
        long fingerprint = from.getLong();
        Payload input = payload(from);
        Tags tags = kind == START ? Tags.NONE : tags(from);
        ParentLink parent = kind == CHILD_START ? parent(from) : null;
        yield new Event.Started(
            definition, id.partition(), input, key(from), tags, fingerprint, parent);
      }
      case CALL_ENDED -> new Event.CallCompleted(id, from.getInt(), from.getInt(), outcome(from));
      case EVALUATED ->
          new Event.ExpressionEvaluated(
              id, from.getInt(), from.getInt(), null, optionalError(from));
      case TIMER_FIRED -> new Event.TimerFired(id, from.getInt(), from.getInt(), from.getInt());
      case EVENT_RECEIVED -> received(id, from);
      case CANCEL -> new Event.Cancelled(id, !from.hasRemaining() || from.get() != AT_ONCE);
      case SUSPEND -> new Event.Suspended(id);
      case RESUME -> new Event.Resumed(id);
      case FOUND_NO_ROOM -> new Event.MemoryExceeded(id, from.getInt());
      case ADVANCED -> new Event.TurnsCompleted(id);
      case RETRIED -> new Event.Retried(id, new SerializedInstance(bytes(from)));
      case BOUND ->
          new Event.ServiceBound(id, from.getInt(), from.getInt(), text(from), text(from));
      default -> throw new IOException("expected a kind of record that is known, found " + kind);
    };
  }

  private Event.EventReceived received(InstanceId id, ByteBuffer from)
      throws PayloadSyntaxException {
    int activity = from.getInt();
    int attempt = from.getInt();
    long position = from.getLong();
    int filter = from.getInt();
    List<String> correlated = new ArrayList<>();
    for (int left = from.getInt(); left > 0; left--) {
      correlated.add(payload(from).comparableText());
    }
    return new Event.EventReceived(
        id, activity, attempt, position, filter, correlated, payload(from));
  }

  private CallOutcome outcome(ByteBuffer from) throws IOException, PayloadSyntaxException {
    byte outcome = from.get();
    return switch (outcome) {
      case ANSWERED -> new CallOutcome.Succeeded(payload(from));
      case FAILED -> {
        WorkflowError error = optionalError(from);
        if (error == null) {
          throw new IOException("expected the error of a call that failed, found none");
        }
        yield new CallOutcome.Failed(error);
      }
      default -> throw new IOException("expected the outcome of a call, found " + outcome);
    };
  }

  private static @Nullable StartKey key(ByteBuffer from) {
    return from.hasRemaining()
        ? new StartKey(from.getLong(), from.getLong(), from.getLong(), from.getLong())
        : null;
  }

  private static DefinitionKey definition(ByteBuffer from) {
    return new DefinitionKey(text(from), text(from), text(from));
  }

  private static @Nullable WorkflowError optionalError(ByteBuffer from) {
    return from.get() == 0
        ? null
        : new WorkflowError(
            text(from),
            from.getInt(),
            RecordBuffer.text(from),
            RecordBuffer.text(from),
            RecordBuffer.text(from));
  }

  private static String text(ByteBuffer from) {
    return Objects.requireNonNull(RecordBuffer.text(from), "a text that must be there");
  }

  private Payload payload(ByteBuffer from) throws PayloadSyntaxException {
    byte[] json = bytes(from);
    return payloads.read(json, 0, json.length);
  }

  private static byte[] bytes(ByteBuffer from) {
    int length = from.getInt();
    if (length < 0 || length > from.remaining()) {
      throw new IllegalArgumentException(
          "expected at most " + from.remaining() + " bytes, found " + length);
    }
    byte[] bytes = new byte[length];
    from.get(bytes);
    return bytes;
  }
}
