package dev.pinion.handlers.api;

import dev.pinion.core.model.EngineLimits;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.PayloadCodec;
import dev.pinion.core.model.PayloadSyntaxException;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * What a handler may see of a message: what it declared to read, and nothing else. Immutable, for
 * use by any thread.
 *
 * <p>Asking for anything else throws {@link UndeclaredSlotException}: a handler that got away with
 * it would depend on what runs beside it.
 */
public final class View {
  private static final PayloadCodec DEFAULT_CODEC =
      new PayloadCodec(EngineLimits.defaults().json());

  private final Message message;
  private final Declaration declaration;
  private final PayloadCodec codec;

  /**
   * What a handler sees of a message.
   *
   * @param codec how bytes become JSON, and the other way round
   */
  public View(Message message, Declaration declaration, PayloadCodec codec) {
    this.message = message;
    this.declaration = declaration;
    this.codec = codec;
  }

  /** What a handler sees of a message, with the default limits on JSON: for tests of handlers. */
  public static View of(Message message, Declaration declaration) {
    return new View(message, declaration, DEFAULT_CODEC);
  }

  /** The name of the message; everyone sees it. */
  public MessageId id() {
    return message.id();
  }

  /** Where the message is; everyone sees it. */
  public Point point() {
    return message.point();
  }

  /** A property, or null when the message has none of that name. */
  public @Nullable String property(String name) {
    check(new Slot.Property(name, false));
    return message.properties().get(name);
  }

  /** A property, or what to take when the message has none of that name. */
  public String property(String name, String otherwise) {
    String value = property(name);
    return value == null ? otherwise : value;
  }

  /** The properties whose names begin so; by their whole names, sorted. */
  public SortedMap<String, String> properties(String prefix) {
    Slot.Property slot = new Slot.Property(prefix, true);
    check(slot);
    return Collections.unmodifiableSortedMap(message.among(slot));
  }

  /** The body as it travels. */
  public Body body() {
    check(new Slot.Bytes());
    return message.body();
  }

  /** The body as bytes; not to be written to. */
  public byte[] bytes() {
    return body().bytes(codec);
  }

  /**
   * The body as JSON value.
   *
   * @throws PayloadSyntaxException when it is none
   */
  public Payload json() throws PayloadSyntaxException {
    check(new Slot.Json(List.of()));
    return message.body().json(codec);
  }

  /**
   * A part of the JSON body, or null when it has no such part.
   *
   * @param pointer JSON pointer
   * @throws PayloadSyntaxException when the body is no JSON
   */
  public @Nullable Payload json(String pointer) throws PayloadSyntaxException {
    Slot.Json slot = new Slot.Json(JsonPointer.parse(pointer));
    check(slot);
    return JsonTree.at(message.body().json(codec), slot.path());
  }

  /** The part of the message that can be seen, as a message: what goes to another process. */
  public Message visible() {
    return message.only(declaration.reads(), codec);
  }

  private void check(Slot slot) {
    Collection<Slot> reads = declaration.reads();
    for (Slot each : reads) {
      if (each.covers(slot)) {
        return;
      }
    }
    throw new UndeclaredSlotException(slot, reads);
  }
}
