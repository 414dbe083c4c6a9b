package dev.pinion.handlers.builtin.data;

import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.codec.PayloadSyntaxException;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Payload;
import dev.pinion.handlers.api.Changes;
import dev.pinion.handlers.api.Declaration;
import dev.pinion.handlers.api.EventTables;
import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.api.HandlerFactory;
import dev.pinion.handlers.api.Settings;
import dev.pinion.handlers.api.Slot;
import dev.pinion.handlers.api.Verdict;
import dev.pinion.handlers.api.View;
import dev.pinion.handlers.api.Work;
import dev.pinion.handlers.builtin.FileSnapshot;
import dev.pinion.handlers.builtin.HandlerProblem;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Adds a row of a reference table to a message, by a key in the message. The table is updated off
 * the path; a message costs one look-up in an immutable snapshot.
 */
public final class EnrichFactory implements HandlerFactory {
  /** The largest table in its file format. */
  static final int MAX_BYTES = 64 << 20;

  private static final int DEFAULT_ROWS = 100_000;
  private static final int MAX_ROWS = 1_000_000;

  /** Treatment of a message whose key has no row. */
  enum Missing {
    /** It continues unchanged. */
    SKIP,
    /** It is refused. */
    REFUSE,
    /** It gets the value of the setting {@code default}. */
    DEFAULT
  }

  private final EventTables events;

  /** For the service loader: without events. */
  public EnrichFactory() {
    this(EventTables.NONE);
  }

  /** With tables that external events update. */
  public EnrichFactory(EventTables events) {
    this.events = events;
  }

  @Override
  public String name() {
    return "enrich";
  }

  @Override
  public String summary() {
    return "Puts the row of a reference table into a message, by a key of the message.";
  }

  /** External events reach only the engine. */
  @Override
  public boolean runsInHosts(Settings settings) {
    return !settings.group("table").has("events");
  }

  @Override
  public Handler create(Settings settings) {
    Slot key = slot(settings, "key");
    Slot target = slot(settings, "target");
    Missing missing = settings.choice("missing", Missing.SKIP);
    Payload otherwise = settings.value("default");
    if ((otherwise != null) != (missing == Missing.DEFAULT)) {
      settings.problem(
          "missing", "expected the setting \"default\" with missing: default and only then");
    }
    TableSource table = table(settings.group("table"));
    return new Enrich(
        new EnrichSlots(key, pointer(key), target, pointer(target)), missing, otherwise, table);
  }

  /** A part of the body. */
  private static Slot slot(Settings settings, String name) {
    String pointer = settings.text(name);
    try {
      if (pointer.isEmpty() && settings.has(name)) {
        settings.problem(name, "expected a JSON pointer to a part of the body, found the whole");
      }
      return Slot.body(pointer);
    } catch (IllegalArgumentException e) {
      settings.problem(name, String.valueOf(e.getMessage()));
      return Slot.body("");
    }
  }

  private static String pointer(Slot slot) {
    return slot.toString().substring("body:".length());
  }

  private TableSource table(Settings settings) {
    if (settings.has("events")) {
      for (String other : List.of("file", "url")) {
        if (settings.has(other)) {
          settings.problem(other, "expected file, url or events, found two of them");
        }
      }
      return EventTableSource.opened(settings, events);
    }
    ReferenceTable.Form form =
        new ReferenceTable.Form(
            settings.choice("format", ReferenceTable.TableFormat.JSON),
            settings.text("key", "id"),
            settings.integer("maxRows", DEFAULT_ROWS, 1, MAX_ROWS),
            new PayloadCodec(EngineLimits.defaults().json()));
    int maxBytes = settings.integer("maxBytes", MAX_BYTES / 4, 1, MAX_BYTES);
    if (settings.has("url")) {
      if (settings.has("file")) {
        settings.problem("file", "expected file or url, found both");
      }
      return HttpTableSource.opened(settings, maxBytes, form);
    }
    return new FileTableSource(FileSnapshot.opened(settings, maxBytes, form::read));
  }

  /**
   * The places of key and row.
   *
   * @param keySlot part of the body that is read
   * @param key its JSON pointer
   * @param targetSlot part of the body that is written
   * @param target its JSON pointer
   */
  private record EnrichSlots(Slot keySlot, String key, Slot targetSlot, String target) {}

  private record Enrich(
      EnrichSlots places, Missing missing, @Nullable Payload otherwise, TableSource source)
      implements Handler {
    @Override
    public Declaration declaration() {
      Declaration always =
          Declaration.NOTHING
              .reading(places.keySlot)
              .writing(places.targetSlot)
              .mandatory()
              .with(Work.CHEAP);
      return missing == Missing.REFUSE ? always.stopping() : always;
    }

    @Override
    public Verdict handle(View message) throws PayloadSyntaxException {
      Payload value = message.json(places.key);
      String key = value == null ? null : ReferenceTable.text(value.json());
      Payload row = key == null ? null : source.row(key);
      if (row != null) {
        return with(row);
      }
      return switch (missing) {
        case SKIP -> Verdict.goOn(Changes.NONE);
        case DEFAULT -> with(Objects.requireNonNull(otherwise));
        case REFUSE ->
            HandlerProblem.UNKNOWN_REFERENCE.refuse(
                "expected a known key at "
                    + places.key
                    + ", found "
                    + (key == null ? "no text and no number" : "one without a row"));
      };
    }

    private Verdict with(Payload row) {
      return Verdict.goOn(Changes.NONE.json(places.target, row));
    }

    @Override
    public void close() {
      source.close();
    }
  }
}
