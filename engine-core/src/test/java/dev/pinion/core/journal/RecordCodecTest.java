package dev.pinion.core.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.message.Event;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.instance.ParentLink;
import dev.pinion.core.model.instance.ParentTask;
import dev.pinion.core.model.instance.SerializedInstance;
import dev.pinion.core.model.instance.StartKey;
import dev.pinion.core.model.instance.Tags;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RecordCodecTest {
  private static final InstanceId ID = InstanceId.next(1_700_000_000_000L, 3, null);

  private final RecordCodec codec =
      new RecordCodec(new PayloadCodec(EngineLimits.defaults().json()));

  private static Event.Started start(@Nullable StartKey key, Tags tags) {
    return new Event.Started(new DefinitionKey("a", "b", "1.0.0"), 3, Payload.of(7), key, tags, 0);
  }

  /** A start without tags has its form from before there were tags. */
  @Test
  void shouldReadStartsWithAndWithoutKeyAndTags() throws IOException {
    StartKey key = new StartKey(1, 2, 3, 4);
    Tags tags = new Tags("order-7", Map.of("city", "Zürich", "b", ""));
    for (Tags each : List.of(Tags.NONE, tags, new Tags("k", Map.of()))) {
      for (int keyed = 0; keyed < 2; keyed++) {
        Event.Started start = start(keyed == 0 ? null : key, each);
        JournalRecord record = new JournalRecord(ID, 0, 5, 6, 0, start);
        RecordCodec.Encoded encoded = codec.encode(record);
        assertEquals(each.isEmpty() ? RecordCodec.START : RecordCodec.TAGGED_START, encoded.kind());
        assertEquals(record, codec.decode(encoded.kind(), encoded.payload()));
      }
    }
  }

  /** Scripts read these names in the output of {@code journal dump}. */
  @Test
  void shouldNameEventsAsTheyWereAlwaysNamed() {
    List<String> names =
        IntStream.rangeClosed(RecordCodec.START, RecordCodec.EVENT_RECEIVED)
            .mapToObj(kind -> RecordCodec.eventName((byte) kind))
            .toList();
    assertEquals(
        List.of(
            "Start",
            "InvocationDone",
            "Evaluated",
            "TimerFired",
            "Cancel",
            "FoundNoRoom",
            "Suspend",
            "Resume",
            "Advanced",
            "Start",
            "Retried",
            "Bound",
            "ChildStart",
            "EventReceived"),
        names);
    assertThrows(
        IllegalArgumentException.class,
        () -> RecordCodec.eventName((byte) (RecordCodec.EVENT_RECEIVED + 1)));
  }

  @Test
  void shouldReadEventsThatInstancesReceived() throws IOException {
    Event.EventReceived received =
        new Event.EventReceived(
            ID, 4, 2, 77, 1, List.of("r-1", ""), Payload.object(Map.of("id", Payload.of("e"))));
    JournalRecord record = new JournalRecord(ID, 3, 5, 6, 0, received);
    RecordCodec.Encoded encoded = codec.encode(record);
    assertEquals(14, encoded.kind());
    assertEquals("EventReceived", RecordCodec.eventName(encoded.kind()));
    assertEquals(record, codec.decode(encoded.kind(), encoded.payload()));
  }

  @Test
  void shouldReadWhatADefinitionHeld() throws IOException {
    DefinitionKey definition = new DefinitionKey("a", "b", "1.0.0");
    Event.Started start =
        new Event.Started(definition, 3, Payload.of(7), null, Tags.NONE, 0x1234_5678_9abc_def0L);
    JournalRecord record = new JournalRecord(ID, 0, 5, 6, 0, start);
    RecordCodec.Encoded encoded = codec.encode(record);

    assertEquals(record, codec.decode(encoded.kind(), encoded.payload()));
  }

  @Test
  void shouldReadStatesThatInstancesGoOnFrom() throws IOException {
    SerializedInstance state = new SerializedInstance(new byte[] {2, 3});
    JournalRecord record = new JournalRecord(ID, 4, 5, 6, 7, new Event.Retried(ID, state));
    RecordCodec.Encoded encoded = codec.encode(record);

    assertEquals(36 + 4 + 2, encoded.payload().remaining());
    assertEquals(record, codec.decode(encoded.kind(), encoded.payload()));
  }

  /** A cancellation with compensation has its form from before there was any. */
  @Test
  void shouldReadWhetherACancellationCompensates() throws IOException {
    for (boolean compensates : new boolean[] {true, false}) {
      Event.Cancelled cancelled = new Event.Cancelled(ID, compensates);
      JournalRecord record = new JournalRecord(ID, 4, 5, 6, 7, cancelled);
      RecordCodec.Encoded encoded = codec.encode(record);

      assertEquals(RecordCodec.CANCEL, encoded.kind());
      assertEquals(compensates ? 36 : 37, encoded.payload().remaining());
      assertEquals(record, codec.decode(encoded.kind(), encoded.payload()));
    }
  }

  @Test
  void shouldReadWhatCallsAreBoundTo() throws IOException {
    Event.ServiceBound serviceBound = new Event.ServiceBound(ID, 3, 9, "seats", "airline-a");
    for (Event.ServiceBound each :
        List.of(serviceBound, Event.ServiceBound.ofInstance(ID, "seats", "b"))) {
      JournalRecord record = new JournalRecord(ID, 4, 5, 6, 7, each);
      RecordCodec.Encoded encoded = codec.encode(record);

      assertEquals(record, codec.decode(encoded.kind(), encoded.payload()));
    }
    assertTrue(RecordCodec.isEvent(RecordCodec.BOUND));
    assertTrue(RecordCodec.isEvent(RecordCodec.CHILD_START));
    assertTrue(RecordCodec.isEvent(RecordCodec.EVENT_RECEIVED));
    assertFalse(RecordCodec.isEvent((byte) (RecordCodec.EVENT_RECEIVED + 1)));
  }

  @Test
  void shouldReadWhoStartedAChild() throws IOException {
    ParentTask task = new ParentTask(InstanceId.next(1, 3, null), "/do/0/run ~1 ü");
    for (boolean awaited : new boolean[] {false, true}) {
      for (Tags tags : List.of(Tags.NONE, new Tags("k", Map.of("a", "b")))) {
        Event.Started start =
            new Event.Started(
                new DefinitionKey("a", "b", "1.0.0"),
                3,
                Payload.of(7),
                null,
                tags,
                9,
                new ParentLink(task, 4, 5, 6, awaited, 1L << 40));
        JournalRecord record = new JournalRecord(ID, 0, 5, 6, 0, start);
        RecordCodec.Encoded encoded = codec.encode(record);

        assertEquals(RecordCodec.CHILD_START, encoded.kind());
        assertEquals(record, codec.decode(encoded.kind(), encoded.payload()));
      }
    }
  }

  @Test
  void shouldReadHowFarAnInstanceCame() throws IOException {
    JournalRecord record = new JournalRecord(ID, 4, 5, 6, 1_000, new Event.TurnsCompleted(ID));
    RecordCodec.Encoded encoded = codec.encode(record);

    assertEquals(36, encoded.payload().remaining());
    assertEquals(record, codec.decode(encoded.kind(), encoded.payload()));
  }
}
