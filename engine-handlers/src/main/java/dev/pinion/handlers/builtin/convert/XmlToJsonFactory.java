package dev.pinion.handlers.builtin.convert;

import dev.pinion.core.xml.XmlException;
import dev.pinion.core.xml.XmlForm;
import dev.pinion.core.xml.XmlReader;
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
import java.nio.ByteBuffer;
import java.util.Set;

/** Converts XML bodies to JSON; {@link JsonToXmlFactory} is the reverse. */
public final class XmlToJsonFactory implements HandlerFactory {
  /** Most that may be set: what nests deeper is no message. */
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
    ScalarTyping types = settings.choice("types", ScalarTyping.TEXT);
    XmlForm form = new XmlForm(types::value, Set.copyOf(settings.texts("arrays")), false);
    int maxDepth = settings.integer("maxDepth", 64, 1, MAX_DEPTH);
    return new XmlToJsonHandler(
        new XmlReader(form, new XmlReader.XmlBounds(maxDepth, "maxDepth", Long.MAX_VALUE)));
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
        ByteBuffer document = ByteBuffer.wrap(message.bytes());
        return Verdict.goOn(Changes.NONE.body(Body.of(reader.read(document, null))));
      } catch (XmlException e) {
        return HandlerProblem.INVALID.refuse(e.problem());
      }
    }
  }
}
