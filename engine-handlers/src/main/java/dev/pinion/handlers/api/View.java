package dev.pinion.handlers.api;

import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.codec.PayloadSyntaxException;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Payload;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * The part of a message that a handler declared to read. Immutable, for use by any thread.
 *
 * <p>Reading anything else throws {@link UndeclaredSlotException}: otherwise a handler could depend
 * on handlers that run in parallel.
 */
public final class View {
  private static final PayloadCodec DEFAULT_CODEC =
      new PayloadCodec(EngineLimits.defaults().json());

  private final Message message;
  private final Declaration declaration;
  private final PayloadCodec codec;

  /**
   * A handler's view of a message.
   *
   * @param codec converts bytes to JSON and back
   */
  public View(Message message, Declaration declaration, PayloadCodec codec) {
    this.message = message;
    this.declaration = declaration;
    this.codec = codec;
  }

  /** A handler's view of a message, with the default limits on JSON: for tests of handlers. */
  public static View of(Message message, Declaration declaration) {
    return new View(message, declaration, DEFAULT_CODEC);
  }

  /** The id of the message; visible to every handler. */
  public MessageId id() {
    return message.id();
  }

  /** The point of the message; visible to every handler. */
  public Point point() {
    return message.point();
  }

  /** A property, or null when the message does not have it. */
  public @Nullable String property(String name) {
    check(new Slot.Property(name, false));
    return message.properties().get(name);
  }

  /** A property, or a default when the message does not have it. */
  public String property(String name, String otherwise) {
    String value = property(name);
    return value == null ? otherwise : value;
  }

  /** The properties whose names have a prefix; by their whole names, sorted. */
  public SortedMap<String, String> properties(String prefix) {
    Slot.Property slot = new Slot.Property(prefix, true);
    check(slot);
    return Collections.unmodifiableSortedMap(message.among(slot));
  }

  /** The body as transmitted. */
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
   * @throws PayloadSyntaxException when it is not JSON
   */
  public Payload json() throws PayloadSyntaxException {
    check(new Slot.Json(List.of()));
    return message.body().json(codec);
  }

  /**
   * A part of the JSON body, or null when it has no such part.
   *
   * @param pointer JSON pointer
   * @throws PayloadSyntaxException when the body is not JSON
   */
  public @Nullable Payload json(String pointer) throws PayloadSyntaxException {
    Slot.Json slot = new Slot.Json(JsonPointer.parse(pointer));
    check(slot);
    return JsonParts.at(message.body().json(codec), slot.path());
  }

  /** The visible part of the message, as a message: the form sent to another process. */
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
