package dev.pinion.handlers.builtin.convert;

import dev.pinion.core.codec.PayloadSyntaxException;
import dev.pinion.core.xml.XmlException;
import dev.pinion.core.xml.XmlWriter;
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
import java.nio.charset.StandardCharsets;

/** Converts JSON bodies to XML; {@link XmlToJsonFactory} is the reverse. */
public final class JsonToXmlFactory implements HandlerFactory {
  /** Most characters of the XML: an array repeats the longest name. */
  static final int MAX_CHARS = 64 << 20;

  /** For the service loader. */
  public JsonToXmlFactory() {}

  @Override
  public String name() {
    return "json-to-xml";
  }

  @Override
  public String summary() {
    return "Makes XML of bodies that are JSON.";
  }

  @Override
  public Handler create(Settings settings) {
    return new ToXml(settings.text("mediaType", "application/xml"));
  }

  private record ToXml(String mediaType) implements Handler {
    @Override
    public Declaration declaration() {
      return Declaration.NOTHING.reading(Slot.bytes()).writing(Slot.bytes()).stopping().mandatory();
    }

    @Override
    public Verdict handle(View message) throws PayloadSyntaxException {
      if (!ConvertibleTypes.isJson(message.body().mediaType())) {
        return Verdict.UNCHANGED;
      }
      try {
        String xml = XmlWriter.write(message.json().json(), StandardCharsets.UTF_8, MAX_CHARS);
        byte[] bytes = xml.getBytes(StandardCharsets.UTF_8);
        return Verdict.goOn(Changes.NONE.body(Body.of(bytes, mediaType)));
      } catch (XmlException e) {
        return HandlerProblem.INVALID.refuse(e.problem());
      }
    }
  }
}
