package dev.pinion.handlers.builtin.observe;

import dev.pinion.handlers.api.Changes;
import dev.pinion.handlers.api.Declaration;
import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.api.HandlerFactory;
import dev.pinion.handlers.api.Settings;
import dev.pinion.handlers.api.Slot;
import dev.pinion.handlers.api.Verdict;
import dev.pinion.handlers.api.View;
import dev.pinion.handlers.api.Work;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Gives every message a correlation id and a place in a trace (W3C Trace Context, level 2).
 * Well-formed values of the sender are kept, others replaced.
 */
public final class CorrelationFactory implements HandlerFactory {
  /** For the service loader. */
  public CorrelationFactory() {}

  @Override
  public String name() {
    return "correlation";
  }

  @Override
  public String summary() {
    return "Gives a message a correlation id and a place in a trace (W3C Trace Context).";
  }

  @Override
  public Handler create(Settings settings) {
    String header = settings.text("header", "x-correlation-id").toLowerCase(Locale.ROOT);
    if (!header.matches("[a-z0-9-]{1,64}")) {
      settings.problem(
          "header",
          "expected a header name of at most 64 a-z, 0-9 and -, found \"" + header + "\"");
    }
    return new Correlation("header." + header, settings.flag("sample", true));
  }

  private record Correlation(String id, boolean sample) implements Handler {
    private static final String PARENT = "header.traceparent";
    private static final String STATE = "header.tracestate";
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9._~:/+=@-]{1,128}");

    @Override
    public Declaration declaration() {
      Slot[] slots = {Slot.property(id), Slot.property(PARENT), Slot.property(STATE)};
      return Declaration.NOTHING.reading(slots).writing(slots).with(Work.CHEAP);
    }

    @Override
    public Verdict handle(View message) {
      Changes changes = Changes.NONE;
      String given = message.property(id);
      if (given == null || !ID.matcher(given).matches()) {
        changes = changes.property(id, message.id().toString());
      }
      String parent = message.property(PARENT);
      TraceParent sender = parent == null ? null : TraceParent.parse(parent);
      TraceParent here = sender == null ? TraceParent.begun(sample) : sender.child();
      changes = changes.property(PARENT, here.toString());
      String state = message.property(STATE);
      return Verdict.goOn(state == null ? changes : state(changes, state, sender));
    }

    /** Vendors' data belong to the sender's trace: without a valid one they are removed. */
    private static Changes state(Changes changes, String state, @Nullable TraceParent sender) {
      String kept = sender == null ? null : TraceState.passedOn(state);
      return kept == null ? changes.withoutProperty(STATE) : changes.property(STATE, kept);
    }
  }
}
