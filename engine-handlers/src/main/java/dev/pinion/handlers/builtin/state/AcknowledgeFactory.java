package dev.pinion.handlers.builtin.state;

import dev.pinion.core.model.Clock;
import dev.pinion.handlers.api.Body;
import dev.pinion.handlers.api.Changes;
import dev.pinion.handlers.api.Declaration;
import dev.pinion.handlers.api.EffectClass;
import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.api.HandlerFactory;
import dev.pinion.handlers.api.Peer;
import dev.pinion.handlers.api.Settings;
import dev.pinion.handlers.api.Slot;
import dev.pinion.handlers.api.Verdict;
import dev.pinion.handlers.api.View;
import dev.pinion.handlers.api.Work;
import dev.pinion.handlers.builtin.FieldNameSetting;
import dev.pinion.handlers.builtin.SharedFiles;
import java.sql.SQLException;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Acknowledges the messages that its peer {@code reliability} has accepted: records the answer on
 * disk before it is sent, so that a duplicate gets the same one, also after a restart.
 */
public final class AcknowledgeFactory implements HandlerFactory {
  private static final int MAX_ANSWER = 1 << 20;

  private final Clock clock;

  /** For the service loader. */
  public AcknowledgeFactory() {
    this(Clock.system());
  }

  AcknowledgeFactory(Clock clock) {
    this.clock = clock;
  }

  @Override
  public String name() {
    return "acknowledge";
  }

  @Override
  public String summary() {
    return "Notes how messages of reliable senders were answered, and acknowledges them.";
  }

  @Override
  public Handler create(Settings settings) {
    String field = FieldNameSetting.of(settings, "header", "pinion-acknowledged");
    int maxBytes = settings.integer("maxAnswerBytes", 64 * 1_024, 0, MAX_ANSWER);
    return new Acknowledge(field, maxBytes, MessageInbox.opened(settings), clock);
  }

  private record Acknowledge(
      String property, int maxBytes, SharedFiles.Lease<MessageInbox> ledger, Clock clock)
      implements Handler {
    private static final String STATUS = "http.status";
    private static final String HEADER = "header.";
    private static final String OMITTED = "pinion-omitted-bytes";

    @Override
    public Declaration declaration() {
      return Declaration.NOTHING
          .reading(Slot.bytes(), Slot.property(STATUS), Slot.property(HEADER + "*"))
          .writing(Slot.property(property))
          .mandatory()
          .with(EffectClass.ATOMIC)
          .with(Work.IO)
          .with(new Peer(ReliabilityFactory.PAIR, Peer.Role.TAKES_BACK));
    }

    @Override
    public Verdict handle(View message) throws SQLException {
      String status = message.property(STATUS, "");
      if (!status.matches("2[0-9]{2}")) {
        ledger.value().forget(message.id());
        return Verdict.UNCHANGED;
      }
      SortedMap<String, String> fields = new TreeMap<>();
      message
          .properties(HEADER)
          .forEach((name, value) -> fields.put(name.substring(HEADER.length()), value));
      Body body = message.body();
      if (message.bytes().length > maxBytes) {
        fields.put(OMITTED, Integer.toString(message.bytes().length));
        body = Body.EMPTY;
      }
      String id =
          ledger
              .value()
              .acknowledge(
                  message.id(),
                  new StoredResponse(Integer.parseInt(status), fields, body),
                  clock.epochMillis());
      return id == null ? Verdict.UNCHANGED : Verdict.goOn(Changes.NONE.property(property, id));
    }

    @Override
    public void close() {
      ledger.close();
    }
  }
}
