package dev.pinion.core.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.pinion.core.document.SourceNode.Form;
import dev.pinion.core.document.SourceNode.Scalar;
import dev.pinion.core.limits.EngineLimits;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.common.Anchor;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ReaderException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.parser.Parser;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/**
 * Reads one YAML 1.2 document by its parser's events; nothing but JSON values is ever constructed.
 *
 * <p>Stricter than YAML where a definition has no use for the freedom: one document, keys that are
 * strings and occur once, tags of the core schema only, no merge keys, and a limit on aliases.
 */
public final class YamlReader {
  private static final String CORE_TAGS = "tag:yaml.org,2002:";

  private final String text;
  private final EngineLimits limits;
  private final boolean anyScalarKeys;
  private final SourceTreeBuilder tree;
  private final Map<String, SourceNode> anchors = new HashMap<>();
  private final Deque<Optional<Anchor>> openAnchors = new ArrayDeque<>();
  private int aliases;
  private int documents;
  private int lastCodePoint;
  private int lastOffset;

  /**
   * A reader of one document.
   *
   * @param anyScalarKeys whether keys may be numbers, booleans and null, which count as their text
   */
  YamlReader(String text, EngineLimits limits, boolean anyScalarKeys) {
    this.text = text;
    this.limits = limits;
    this.anyScalarKeys = anyScalarKeys;
    this.tree = new SourceTreeBuilder(limits);
  }

  /** The document's value, or null when the text holds no document. */
  @Nullable SourceNode read() throws DocumentSyntaxException {
    try {
      LoadSettings settings =
          LoadSettings.builder().setCodePointLimit(Integer.MAX_VALUE).setUseMarks(true).build();
      Parser events = new ParserImpl(settings, new StreamReader(settings, text));
      while (events.hasNext()) {
        accept(events.next());
      }
      return tree.root();
    } catch (MarkedYamlEngineException e) {
      throw refusal(e);
    } catch (ReaderException e) {
      throw new DocumentSyntaxException(
          text.offsetByCodePoints(0, e.getPosition()),
          String.format(
              Locale.ROOT, "expected printable characters, found U+%04X", e.getCodePoint()));
    } catch (YamlEngineException e) {
      throw new DocumentSyntaxException(lastOffset, "expected YAML, found: " + e.getMessage());
    }
  }

  private DocumentSyntaxException refusal(MarkedYamlEngineException e) {
    int offset = e.getProblemMark().map(mark -> offset(mark.getIndex())).orElse(lastOffset);
    return new DocumentSyntaxException(offset, "expected YAML, found: " + e.getProblem());
  }

  private void accept(Event event) throws DocumentSyntaxException {
    int offset = event.getStartMark().map(Mark::getIndex).map(this::offset).orElse(lastOffset);
    switch (event.getEventId()) {
      case DocumentStart -> startDocument(offset);
      case Alias -> alias((AliasEvent) event, offset);
      case Scalar -> scalar((ScalarEvent) event, offset);
      case SequenceStart -> start((CollectionStartEvent) event, offset, false);
      case MappingStart -> start((CollectionStartEvent) event, offset, true);
      case SequenceEnd, MappingEnd -> anchored(openAnchors.pop(), tree.end());
      case StreamStart, StreamEnd, DocumentEnd, Comment -> {}
    }
  }

  /** Turns a code point's index into a character's; cheap because events come in order. */
  private int offset(int codePoint) {
    lastOffset = text.offsetByCodePoints(lastOffset, codePoint - lastCodePoint);
    lastCodePoint = codePoint;
    return lastOffset;
  }

  private void startDocument(int offset) throws DocumentSyntaxException {
    if (++documents > 1) {
      throw new DocumentSyntaxException(offset, "expected one document, found a second one");
    }
  }

  private void alias(AliasEvent event, int offset) throws DocumentSyntaxException {
    int most = limits.json().maxYamlAliases();
    if (++aliases > most) {
      throw new DocumentSyntaxException(
          offset, "expected at most " + most + " aliases (json.maxYamlAliases), found more");
    }
    SourceNode target = anchors.get(event.getAlias().getValue());
    if (target == null) {
      throw new DocumentSyntaxException(
          offset,
          "expected an alias of a value that ended before it, found *"
              + event.getAlias().getValue());
    }
    if (tree.expectsKey()) {
      key(target.json(), target.json().asText(), offset);
    } else {
      tree.add(target, offset);
    }
  }

  private void start(CollectionStartEvent event, int offset, boolean mapping)
      throws DocumentSyntaxException {
    if (tree.expectsKey()) {
      throw new DocumentSyntaxException(
          offset, "expected a string as key, found " + (mapping ? "an object" : "an array"));
    }
    checkTag(event.getTag(), mapping ? "map" : "seq", offset);
    event.getAnchor().map(Anchor::getValue).ifPresent(anchors::remove);
    openAnchors.push(event.getAnchor());
    if (mapping) {
      tree.startMapping(offset);
    } else {
      tree.startSequence(offset);
    }
  }

  private void scalar(ScalarEvent event, int offset) throws DocumentSyntaxException {
    JsonNode json = value(event, offset);
    if (tree.expectsKey()) {
      if (event.isPlain() && event.getValue().equals("<<")) {
        throw new DocumentSyntaxException(
            offset, "expected a key of YAML 1.2, which has no merge keys, found <<");
      }
      key(json, event.getValue(), offset);
      anchored(event.getAnchor(), new Scalar(json, offset, form(event)));
      return;
    }
    Scalar node = new Scalar(json, offset, form(event));
    tree.add(node);
    anchored(event.getAnchor(), node);
  }

  private void key(JsonNode key, String written, int offset) throws DocumentSyntaxException {
    if (!key.isTextual() && !(anyScalarKeys && key.isValueNode())) {
      throw new DocumentSyntaxException(
          offset,
          "expected a string as key, found " + ValueDescription.describe(key) + "; quote it");
    }
    tree.key(written, offset);
  }

  private void anchored(Optional<Anchor> anchor, SourceNode node) {
    anchor.ifPresent(name -> anchors.put(name.getValue(), node));
  }

  private JsonNode value(ScalarEvent event, int offset) throws DocumentSyntaxException {
    String text = event.getValue();
    Optional<String> tag = event.getTag();
    if (tag.isEmpty()) {
      return event.isPlain() ? resolve(text, offset) : TextNode.valueOf(text);
    }
    return switch (coreTag(tag.get(), offset)) {
      case "", "str" -> TextNode.valueOf(text);
      case "null" -> typed(resolve(text, offset), JsonNode::isNull, tag.get(), offset);
      case "bool" -> typed(resolve(text, offset), JsonNode::isBoolean, tag.get(), offset);
      case "int" -> typed(resolve(text, offset), JsonNode::isIntegralNumber, tag.get(), offset);
      case "float" -> typed(resolve(text, offset), JsonNode::isNumber, tag.get(), offset);
      default -> throw unknownTag(tag.get(), offset);
    };
  }

  private JsonNode resolve(String text, int offset) throws DocumentSyntaxException {
    return YamlCoreSchema.resolve(text, offset, limits.json().maxNumberDigits());
  }

  private static JsonNode typed(JsonNode json, Predicate<JsonNode> fits, String tag, int offset)
      throws DocumentSyntaxException {
    if (!fits.test(json)) {
      throw new DocumentSyntaxException(
          offset,
          "expected a value that fits its tag "
              + tag
              + ", found "
              + ValueDescription.describe(json));
    }
    return json;
  }

  private static void checkTag(Optional<String> tag, String allowed, int offset)
      throws DocumentSyntaxException {
    if (tag.isPresent()) {
      String core = coreTag(tag.get(), offset);
      if (!core.isEmpty() && !core.equals(allowed)) {
        throw unknownTag(tag.get(), offset);
      }
    }
  }

  /** The short name of a core tag; empty for the tag {@code !}, which only means "not resolved". */
  private static String coreTag(String tag, int offset) throws DocumentSyntaxException {
    if (tag.equals("!")) {
      return "";
    }
    if (!tag.startsWith(CORE_TAGS)) {
      throw unknownTag(tag, offset);
    }
    return tag.substring(CORE_TAGS.length());
  }

  private static DocumentSyntaxException unknownTag(String tag, int offset) {
    return new DocumentSyntaxException(
        offset,
        "expected no tag, or one of the YAML 1.2 core schema that fits, found "
            + ValueDescription.shorten(tag));
  }

  private static Form form(ScalarEvent event) {
    return switch (event.getScalarStyle()) {
      case SINGLE_QUOTED -> Form.SINGLE_QUOTED;
      case DOUBLE_QUOTED, JSON_SCALAR_STYLE -> Form.DOUBLE_QUOTED;
      case LITERAL, FOLDED -> Form.BLOCK;
      case PLAIN -> event.getValue().isEmpty() ? Form.ABSENT : Form.PLAIN;
    };
  }
}
