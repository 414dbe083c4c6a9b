package dev.pinion.handlers.builtin.convert;

import dev.pinion.core.codec.PayloadSyntaxException;
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

/** Converts JSON bodies to XML; {@link XmlToJsonFactory} is the reverse. */
public final class JsonToXmlFactory implements HandlerFactory {
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
        byte[] xml = XmlWriter.write(message.json().json());
        return Verdict.goOn(Changes.NONE.body(Body.of(xml, mediaType)));
      } catch (ConversionException e) {
        return HandlerProblem.INVALID.refuse(String.valueOf(e.getMessage()));
      }
    }
  }
}
