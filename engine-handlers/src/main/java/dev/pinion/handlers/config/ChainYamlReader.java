package dev.pinion.handlers.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Payload;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/**
 * Reads one YAML 1.2 document, including JSON, as a JSON value. Makes only JSON values; content
 * repeated by aliases counts each time.
 */
final class ChainYamlReader {
  private static final int MAX_ALIASES = 100;
  private static final int MAX_VALUES = 100_000;

  private final EngineLimits limits;
  private int values;

  private ChainYamlReader(EngineLimits limits) {
    this.limits = limits;
  }

  static Payload read(String text, EngineLimits limits) throws InvalidChainsException {
    int most = limits.handlers().maxDocumentBytes();
    if (text.length() > most || text.getBytes(StandardCharsets.UTF_8).length > most) {
      throw refusal(
          "expected a document of at most "
              + most
              + " bytes (handlers.maxDocumentBytes), found more");
    }
    LoadSettings settings =
        LoadSettings.builder()
            .setAllowDuplicateKeys(false)
            .setMaxAliasesForCollections(MAX_ALIASES)
            .setCodePointLimit(most)
            .setSchema(new CoreSchema())
            .build();
    try {
      return Payload.of(
          new ChainYamlReader(limits).json(new Load(settings).loadFromString(text), 0));
    } catch (YamlEngineException | StackOverflowError e) {
      throw refusal("expected YAML or JSON, found: " + String.valueOf(e.getMessage()).strip());
    }
  }

  private JsonNode json(@Nullable Object value, int depth) throws InvalidChainsException {
    if (depth > limits.json().maxDepth()) {
      throw refusal(
          "expected nesting of at most "
              + limits.json().maxDepth()
              + " levels (json.maxDepth), found more");
    }
    if (++values > MAX_VALUES) {
      throw refusal("expected at most " + MAX_VALUES + " values, found more");
    }
    JsonNodeFactory nodes = JsonNodeFactory.instance;
    return switch (value) {
      case null -> nodes.nullNode();
      case Map<?, ?> map -> object(map, depth);
      case List<?> list -> {
        ArrayNode array = nodes.arrayNode();
        for (Object item : list) {
          array.add(json(item, depth + 1));
        }
        yield array;
      }
      case String text -> nodes.textNode(text);
      case Boolean flag -> nodes.booleanNode(flag);
      case Integer number -> nodes.numberNode(number);
      case Long number -> nodes.numberNode(number);
      case BigInteger number -> nodes.numberNode(number);
      case Double number when Double.isFinite(number) -> nodes.numberNode(number);
      default -> throw refusal("expected a value that JSON has, found " + value);
    };
  }

  private ObjectNode object(Map<?, ?> map, int depth) throws InvalidChainsException {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    for (Map.Entry<?, ?> member : map.entrySet()) {
      if (!(member.getKey() instanceof String name)) {
        throw refusal("expected a string as key, found " + member.getKey() + "; quote it");
      }
      object.set(name, json(member.getValue(), depth + 1));
    }
    return object;
  }

  private static InvalidChainsException refusal(String message) {
    return InvalidChainsException.of("", message);
  }
}
