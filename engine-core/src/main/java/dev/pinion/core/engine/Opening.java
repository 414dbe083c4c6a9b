package dev.pinion.core.engine;

import dev.pinion.core.model.Clock;
import dev.pinion.core.model.EngineLimits;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.PayloadCodec;
import dev.pinion.core.model.PayloadSyntaxException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What is recorded when a journal is opened: by what clock and under which limits the records that
 * follow were written. As JSON.
 *
 * @param scale name of the monotonic clock's scale; see {@link Clock#scale}
 * @param version version of the engine
 * @param limits every limit by name
 */
record Opening(String scale, String version, Map<String, Integer> limits) {
  /** The kind of record. */
  static final byte KIND = 16;

  /** The opening that takes place now. */
  static Opening now(Clock clock, EngineLimits limits) {
    return new Opening(clock.scale(), EngineVersion.CURRENT, limits.values());
  }

  ByteBuffer encode(PayloadCodec codec) {
    Map<String, Payload> bounds = new LinkedHashMap<>();
    limits.forEach((name, value) -> bounds.put(name, Payload.of(value)));
    Map<String, Payload> members = new LinkedHashMap<>();
    members.put("scale", Payload.of(scale));
    members.put("version", Payload.of(version));
    members.put("limits", Payload.object(bounds));
    return ByteBuffer.wrap(codec.toExactBytes(Payload.object(members)));
  }

  /**
   * Reads what {@link #encode} wrote.
   *
   * @throws IOException when it is something else
   */
  static Opening decode(PayloadCodec codec, ByteBuffer bytes) throws IOException {
    byte[] json = new byte[bytes.remaining()];
    bytes.get(json);
    try {
      Payload payload = codec.read(json, 0, json.length);
      Map<String, Integer> limits = new LinkedHashMap<>();
      payload
          .json()
          .path("limits")
          .properties()
          .forEach(limit -> limits.put(limit.getKey(), limit.getValue().asInt()));
      return new Opening(
          payload.json().path("scale").asText(), payload.json().path("version").asText(), limits);
    } catch (PayloadSyntaxException e) {
      throw new IOException(
          "expected what an opening of the journal records: " + e.getMessage(), e);
    }
  }
}
