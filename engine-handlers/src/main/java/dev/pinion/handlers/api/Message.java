package dev.pinion.handlers.api;

import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.codec.PayloadSyntaxException;
import dev.pinion.core.model.Payload;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A message at a point of its way. Immutable: handlers return {@link Changes}, which make another
 * one.
 *
 * <p>Fields of HTTP are properties {@code header.NAME} with the name in lower case, except the
 * content type, which belongs to the body. Further properties, where known, are {@code
 * http.method}, {@code http.path}, {@code http.status}, {@code client.address}, {@code definition},
 * {@code service} and {@code service.class}.
 *
 * @param id its id
 * @param point its current point
 * @param properties texts by name, sorted by name
 * @param body its content
 */
public record Message(MessageId id, Point point, SortedMap<String, String> properties, Body body) {
  /** Property with the definition of the message. */
  public static final String DEFINITION = "definition";

  /** Property with the service class of the instance that makes the call. */
  public static final String SERVICE_CLASS = "service.class";

  /** Heap bytes of a property besides its characters. */
  private static final int PROPERTY_BYTES = 120;

  /** Copies the properties. */
  public Message {
    properties = Collections.unmodifiableSortedMap(new TreeMap<>(properties));
  }

  /** A message with properties in any order. */
  public static Message of(MessageId id, Point point, Map<String, String> properties, Body body) {
    return new Message(id, point, new TreeMap<>(properties), body);
  }

  /** Estimated size in bytes: its body, and a byte for each character of its properties. */
  public long size() {
    long size = body.size();
    for (Map.Entry<String, String> each : properties.entrySet()) {
      size += each.getKey().length() + each.getValue().length();
    }
    return size;
  }

  /** Estimated bytes of the heap that it takes now. */
  public long heapBytes() {
    long bytes = body.heapBytes();
    for (Map.Entry<String, String> each : properties.entrySet()) {
      bytes += PROPERTY_BYTES + each.getKey().length() + each.getValue().length();
    }
    return bytes;
  }

  /**
   * The message after changes, made in order. A part of a body that is bytes is changed by reading
   * them as JSON first.
   *
   * @param codec converts bytes to JSON
   * @throws PayloadSyntaxException when a part of the body is to be changed and the body is not
   *     JSON
   * @throws InapplicableChangeException when the body has no place for a part
   */
  public Message with(Changes changes, PayloadCodec codec)
      throws PayloadSyntaxException, InapplicableChangeException {
    if (changes.isEmpty()) {
      return this;
    }
    SortedMap<String, String> texts = null;
    Body content = body;
    for (Changes.Change change : changes.list()) {
      switch (change) {
        case Changes.SetProperty(String name, var value) -> {
          if (texts == null) {
            texts = new TreeMap<>(properties);
          }
          if (value == null) {
            texts.remove(name);
          } else {
            texts.put(name, value);
          }
        }
        case Changes.SetBody(Body other) -> content = other;
        case Changes.SetJson(var path, var value) ->
            content = content.with(JsonParts.with(content.json(codec), path, value));
      }
    }
    return new Message(id, point, texts == null ? properties : texts, content);
  }

  /**
   * The message with only some slots: the input of a handler that reads only these, wherever it
   * runs. Parts of a JSON body keep their places. The body is left out when no slot belongs to it,
   * and kept whole when it is not JSON.
   */
  public Message only(Collection<Slot> slots, PayloadCodec codec) {
    SortedMap<String, String> texts = new TreeMap<>();
    List<List<String>> paths = new ArrayList<>();
    boolean whole = false;
    for (Slot slot : slots) {
      switch (slot) {
        case Slot.Property property -> texts.putAll(among(property));
        case Slot.Json json -> paths.add(json.path());
        case Slot.Bytes _ -> whole = true;
      }
    }
    Body content = whole ? body : paths.isEmpty() ? Body.EMPTY : reduced(paths, codec);
    return new Message(id, point, texts, content);
  }

  private Body reduced(List<List<String>> paths, PayloadCodec codec) {
    try {
      Payload kept = JsonParts.only(body.json(codec), paths);
      return kept == null ? body : Body.of(kept, body.mediaType());
    } catch (PayloadSyntaxException e) {
      return body; // its reader reports the problem
    }
  }

  /** The properties of a slot. */
  SortedMap<String, String> among(Slot.Property slot) {
    String name = slot.name();
    if (slot.prefix()) {
      return properties.subMap(name, name + Character.MAX_VALUE);
    }
    String value = properties.get(name);
    return value == null ? Collections.emptySortedMap() : new TreeMap<>(Map.of(name, value));
  }
}
