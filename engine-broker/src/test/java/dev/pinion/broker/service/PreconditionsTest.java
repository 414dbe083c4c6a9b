package dev.pinion.broker.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import dev.pinion.core.spi.BrokerGateway.BrokerRequest;
import dev.pinion.core.spi.BrokerGateway.BrokerResponse;
import dev.pinion.core.spi.BrokerGateway.Verb;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PreconditionsTest {
  // Field fault 24: "expected one of  (If-Match), found none"
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''  | expected an entity tag or *, which an empty field does not name, (If-Match), found"
            + " none",
        "\"a\" | expected one of \"a\" (If-Match), found none"
      })
  void shouldNameWhatWasExpected(String ifMatch, String detail) {
    BrokerResponse brokerResponse =
        Preconditions.refusal(new BrokerRequest(Verb.PUT, "slas", "x", ifMatch, null, "{}"), null);

    assertNotNull(brokerResponse);
    assertEquals(detail, brokerResponse.detail());
  }
}
