package dev.pinion.bootstrap.serve;

import java.util.List;

/** The definitions of errands, and of what runs by a schedule meanwhile. */
final class ErrandDocuments {
  private static final String ERRAND =
      """
      document: {dsl: 1.0.3, namespace: test, name: errand, version: 1.0.0}
      use:
        authentications:
          shop:
            oauth2:
              authority: URL
              endpoints: {token: /token}
              grant: client_credentials
              client: {id: engine, secret: s3cret}
      do:
        - reserve:
            call: http
            with:
              method: post
              endpoint: {uri: URL/reserve, authentication: {use: shop}}
              body: {n: '${ .n }'}
            output: {as: '${ $input }'}
            metadata:
              pinion:
                compensate:
                  - release:
                      call: http
                      with:
                        method: post
                        endpoint: {uri: URL/release, authentication: {use: shop}}
                        body: {n: '${ .n }'}
        - pack:
            run: {workflow: {namespace: test, name: pack, input: {n: '${ .n }'}}}
            output: {as: '${ $input }'}
            metadata:
              pinion:
                compensate:
                  - unpack:
                      call: http
                      with: {method: post, endpoint: URL/unpack, body: {n: '${ .n }'}}
        - notify:
            run: {workflow: {namespace: test, name: notify, input: {n: '${ .n }'}}, await: false}
        - approve:
            listen:
              to:
                one:
                  with: {type: approved}
                  correlate: {n: {from: .data.n, expect: .n}}
            output: {as: '${ $input }'}
        - ship:
            call: http
            with:
              method: post
              endpoint: {uri: URL/ship, authentication: {use: shop}}
              body: {n: '${ .n }'}
            output: {as: '${ $input }'}
        - tell:
            emit: {event: {with: {type: shipped, data: {n: '${ .n }'}}}}
            output: {as: .data}
      """;

  private static final String PACK =
      """
      document: {dsl: 1.0.3, namespace: test, name: pack, version: 1.0.0}
      do:
        - pack:
            call: http
            with: {method: post, endpoint: URL/pack, body: {n: '${ .n }'}}
            output: {as: '${ $input }'}
        - rest: {wait: {milliseconds: 300}}
        - packed: {call: http, with: {method: post, endpoint: URL/packed, body: {n: '${ .n }'}}}
      """;

  private static final String NOTIFY =
      """
      document: {dsl: 1.0.3, namespace: test, name: notify, version: 1.0.0}
      do:
        - notify: {call: http, with: {method: post, endpoint: URL/notify, body: {n: '${ .n }'}}}
      """;

  private static final String FLAKY =
      """
      document: {dsl: 1.0.3, namespace: test, name: flaky, version: 1.0.0}
      do:
        - before:
            call: http
            with: {method: post, endpoint: URL/before, body: {n: '${ .n }'}}
            output: {as: '${ $input }'}
        - flaky: {call: http, with: {method: post, endpoint: URL/flaky, body: {n: '${ .n }'}}}
      """;

  private static final String COLLECTOR =
      """
      document: {dsl: 1.0.3, namespace: test, name: collector, version: 1.0.0}
      do:
        - collect:
            listen: {to: {any: [{with: {type: shipped}}], until: {one: {with: {type: stop}}}}}
            output: {as: '${ map(.n) }'}
      """;

  private static final String TICK =
      """
      document: {dsl: 1.0.3, namespace: test, name: tick, version: 1.0.0}
      schedule: {every: PT1S}
      do:
        - tick: {call: http, with: {method: post, endpoint: URL/tick, body: {n: 0}}}
      """;

  private static final String TOCK =
      """
      document: {dsl: 1.0.3, namespace: test, name: tock, version: 1.0.0}
      schedule: {after: PT0.5S}
      do:
        - tock: {call: http, with: {method: post, endpoint: URL/tock, body: {n: 0}}}
      """;

  private ErrandDocuments() {}

  /** All of them, for services at a URL. */
  static List<String> all(String url) {
    return List.of(PACK, NOTIFY, ERRAND, FLAKY, COLLECTOR, TICK, TOCK).stream()
        .map(document -> document.replace("URL", url))
        .toList();
  }
}
