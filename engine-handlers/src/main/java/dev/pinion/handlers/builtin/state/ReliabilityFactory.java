package dev.pinion.handlers.builtin.state;

import dev.pinion.core.model.Clock;
import dev.pinion.handlers.api.Changes;
import dev.pinion.handlers.api.Declaration;
import dev.pinion.handlers.api.EffectClass;
import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.api.HandlerFactory;
import dev.pinion.handlers.api.Metered;
import dev.pinion.handlers.api.Metric;
import dev.pinion.handlers.api.Peer;
import dev.pinion.handlers.api.Settings;
import dev.pinion.handlers.api.Slot;
import dev.pinion.handlers.api.Verdict;
import dev.pinion.handlers.api.View;
import dev.pinion.handlers.api.Work;
import dev.pinion.handlers.builtin.Digests;
import dev.pinion.handlers.builtin.FieldNameSetting;
import dev.pinion.handlers.builtin.HandlerProblem;
import dev.pinion.handlers.builtin.SharedFiles;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Pattern;

/**
 * Removes duplicates of requests by their senders' ids, and answers them again as they were
 * acknowledged. Its peer {@code acknowledge} records the answers.
 */
public final class ReliabilityFactory implements HandlerFactory {
  /** The name of the pair. */
  static final String PAIR = "reliability";

  private static final Pattern ID = Pattern.compile("[A-Za-z0-9._~:/+=@-]{1,128}");
  private static final long MILLIS_PER_SECOND = 1_000;

  private final Clock clock;

  /** For the service loader. */
  public ReliabilityFactory() {
    this(Clock.system());
  }

  ReliabilityFactory(Clock clock) {
    this.clock = clock;
  }

  @Override
  public String name() {
    return "reliability";
  }

  @Override
  public String summary() {
    return "Removes duplicates of requests and answers them again, by the ids of their senders.";
  }

  @Override
  public Handler create(Settings settings) {
    ReliabilitySettings reliabilitySettings =
        new ReliabilitySettings(
            FieldNameSetting.of(settings, "header", "message-id"),
            settings.flag("required", false),
            settings.flag("idempotencyKey", false),
            new MessageInbox.InboxBounds(
                settings.duration("window", Duration.ofDays(1), Duration.ofDays(30)).toMillis(),
                settings
                    .duration("patience", Duration.ofMinutes(1), Duration.ofHours(1))
                    .toMillis(),
                settings.integer("maxRemembered", 100_000, 1, 1_000_000)));
    if (reliabilitySettings.bounds.patienceMillis() > reliabilitySettings.bounds.windowMillis()) {
      settings.problem("patience", "expected at most the window, found a longer time");
    }
    return new Reliability(
        reliabilitySettings, MessageInbox.opened(settings), new Counters(), clock);
  }

  /**
   * Settings.
   *
   * @param property the property with the sender's id
   * @param required whether messages without one are refused
   * @param idempotencyKey whether the id becomes the {@code Idempotency-Key} of a start
   */
  private record ReliabilitySettings(
      String property, boolean required, boolean idempotencyKey, MessageInbox.InboxBounds bounds) {}

  private record Counters(LongAdder resent, LongAdder underWay, LongAdder again, LongAdder full) {
    Counters() {
      this(new LongAdder(), new LongAdder(), new LongAdder(), new LongAdder());
    }
  }

  private record Reliability(
      ReliabilitySettings terms,
      SharedFiles.Lease<MessageInbox> ledger,
      Counters counters,
      Clock clock)
      implements Metered {
    private static final Slot METHOD = Slot.property("http.method");
    private static final Slot PATH = Slot.property("http.path");
    private static final String KEY = "header.idempotency-key";

    @Override
    public Declaration declaration() {
      Declaration always =
          Declaration.NOTHING
              .reading(Slot.bytes(), METHOD, PATH, Slot.property(terms.property))
              .stopping()
              .mandatory()
              .with(EffectClass.ATOMIC)
              .with(Work.IO)
              .with(new Peer(PAIR, Peer.Role.DOES));
      return terms.idempotencyKey ? always.writing(Slot.property(KEY)) : always;
    }

    @Override
    public Verdict handle(View message) throws SQLException {
      String id = message.property(terms.property);
      if (id == null && !terms.required) {
        return Verdict.UNCHANGED;
      }
      if (id == null || !ID.matcher(id).matches()) {
        return HandlerProblem.BAD_MESSAGE_ID.refuse(
            "expected an id of 1 to 128 letters, digits and ._~:/+=@- in "
                + terms.property
                + ", found "
                + (id == null ? "none" : "another text"));
      }
      MessageReceipt messageReceipt =
          ledger
              .value()
              .receive(id, fingerprint(message), message.id(), clock.epochMillis(), terms.bounds);
      return verdict(id, messageReceipt);
    }

    private Verdict verdict(String id, MessageReceipt messageReceipt) {
      return switch (messageReceipt.kind()) {
        case NEW -> through(id);
        case AGAIN -> {
          counters.again.increment();
          yield through(id);
        }
        case ACKNOWLEDGED -> {
          counters.resent.increment();
          yield Objects.requireNonNull(messageReceipt.answer()).toVerdict("pinion-resent", "true");
        }
        case UNDER_WAY -> {
          counters.underWay.increment();
          yield later(HandlerProblem.UNDER_WAY, "it is under way since it came before");
        }
        case ANOTHER ->
            HandlerProblem.ID_REUSED.refuse(
                "expected the message that came with the id " + id + " before, found another one");
        case FULL -> {
          counters.full.increment();
          yield later(
              HandlerProblem.OVERLOADED, "no more than " + terms.bounds.most() + " are remembered");
        }
      };
    }

    private Verdict later(HandlerProblem handlerProblem, String detail) {
      long seconds = Math.ceilDiv(terms.bounds.patienceMillis(), MILLIS_PER_SECOND);
      return handlerProblem.refuse(
          "expected a message that can be taken now: " + detail,
          "retry-after",
          Long.toString(seconds));
    }

    private Verdict through(String id) {
      return terms.idempotencyKey
          ? Verdict.goOn(Changes.NONE.property(KEY, '"' + id + '"'))
          : Verdict.UNCHANGED;
    }

    /** Separates by line feeds, which a method or a path cannot contain. */
    private static String fingerprint(View message) {
      String head = message.property("http.method", "") + '\n' + message.property("http.path", "");
      byte[] bytes = (head + '\n').getBytes(StandardCharsets.UTF_8);
      return HexFormat.of().formatHex(Digests.sha256(bytes, message.bytes()));
    }

    @Override
    public List<Metric> metrics() {
      return List.of(
          Metric.counter(
              "pinion_reliability_resent_total",
              "Duplicates that were answered again.",
              counters.resent.sum()),
          Metric.counter(
              "pinion_reliability_under_way_total",
              "Duplicates of messages that were under way.",
              counters.underWay.sum()),
          Metric.counter(
              "pinion_reliability_again_total",
              "Messages let through again because they were not acknowledged in time.",
              counters.again.sum()),
          Metric.counter(
              "pinion_reliability_full_total",
              "Messages refused because no more could be remembered.",
              counters.full.sum()));
    }

    @Override
    public void close() {
      ledger.close();
    }
  }
}
