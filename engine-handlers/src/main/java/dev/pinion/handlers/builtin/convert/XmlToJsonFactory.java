package dev.pinion.handlers.builtin.convert;

import dev.pinion.handlers.api.Body;
import dev.pinion.handlers.api.Changes;
import dev.pinion.handlers.api.Declaration;
import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.api.HandlerFactory;
import dev.pinion.handlers.api.Settings;
import dev.pinion.handlers.api.Slot;
import dev.pinion.handlers.api.Verdict;
import dev.pinion.handlers.api.View;
import dev.pinion.handlers.builtin.HandlerProblem;
import java.util.Set;

/** Converts XML bodies to JSON; {@link JsonToXmlFactory} is the reverse. */
public final class XmlToJsonFactory implements HandlerFactory {
  /** The limit of Java's reader, less one, so that this bound is the one reported. */
  private static final int MAX_DEPTH = 99;

  /** For the service loader. */
  public XmlToJsonFactory() {}

  @Override
  public String name() {
    return "xml-to-json";
  }

  @Override
  public String summary() {
    return "Makes JSON of bodies that are XML.";
  }

  @Override
  public Handler create(Settings settings) {
    return new XmlToJsonHandler(
        new XmlReader(
            settings.choice("types", ScalarTyping.TEXT),
            Set.copyOf(settings.texts("arrays")),
            settings.integer("maxDepth", 64, 1, MAX_DEPTH)));
  }

  private record XmlToJsonHandler(XmlReader reader) implements Handler {
    @Override
    public Declaration declaration() {
      return Declaration.NOTHING
          .reading(Slot.bytes())
          .writing(Slot.body(""))
          .stopping()
          .mandatory();
    }

    @Override
    public Verdict handle(View message) {
      if (!ConvertibleTypes.isXml(message.body().mediaType())) {
        return Verdict.UNCHANGED;
      }
      try {
        return Verdict.goOn(Changes.NONE.body(Body.of(reader.read(message.bytes()))));
      } catch (ConversionException e) {
        return HandlerProblem.INVALID.refuse(String.valueOf(e.getMessage()));
      }
    }
  }
}
