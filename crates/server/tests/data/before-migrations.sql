PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE event (
        table_id TEXT NOT NULL,
        seq BIGINT NOT NULL,
        at BIGINT NOT NULL,
        event TEXT NOT NULL,
        PRIMARY KEY (table_id, seq));
INSERT INTO event VALUES('n99gs1mfmeah',1,1794802019184,'{"e":"opened","game":"cotulenh","setup":{"clock":{"increment":0,"initial":600000}},"seats":[{"kind":"human","player":"d5yvn0qp1kgebpqg","name":"Guest-D5YV"},{"kind":"open"}],"public":false,"previous":null}');
INSERT INTO event VALUES('n99gs1mfmeah',2,1794802019185,'{"e":"seated","seat":1,"player":"fv8fdxfh6fg1mggf","name":"Guest-FV8F"}');
INSERT INTO event VALUES('n99gs1mfmeah',3,1794802019186,'{"e":"game","by":0,"d":{"k":"moved","lan":"Ic5c6","left":[600000,600000]}}');
INSERT INTO event VALUES('n99gs1mfmeah',4,1794802019187,'{"e":"game","by":1,"d":{"end":"resign","k":"ended","left":[600000,600000],"winner":0}}');
INSERT INTO event VALUES('m2afajqmy4br',1,1794802019191,'{"e":"opened","game":"cotulenh","setup":{},"seats":[{"kind":"open"},{"kind":"human","player":"d5yvn0qp1kgebpqg","name":"Guest-D5YV"}],"public":true,"previous":null}');
INSERT INTO event VALUES('r2fbemr451kk',1,1794802019192,'{"e":"opened","game":"tractor","setup":{"level":2,"pace":{"deal":320,"next":10000,"shuffle":5000,"trick":1300,"window":8000},"preset":"default","rules":{"allow_trump_throw":"false","announce_stopper":"true","bid_policy":"joker_or_greater_length","bid_reinforce":"while_winning","decl_offer":"all","eligibility":"summary","end_early":"false","first_starter":"winning_bid","follow_policy":"loose","jack_back_to_two":"false","joker_bids":"pairs","kitty_multiplier":"pow_pairs","kitty_theft":"false","max_rank":"A","min_tractor_len":"2","must_defend":"A","name_grouping":"false","no_bid":"no_trump","nt_rank_joker_adjacent":"true","own_joker_raise":"false","response_mapping":"strongest","scoring":"40 2 1 0","take_back":"false","throw_eval":"seed","throw_mode":"certain","throw_penalty":"0"},"welcome":true},"seats":[{"kind":"human","player":"d5yvn0qp1kgebpqg","name":"Guest-D5YV"},{"kind":"open"},{"kind":"open"},{"kind":"open"}],"public":false,"previous":null}');
CREATE TABLE summary (
        table_id TEXT PRIMARY KEY,
        phase TEXT NOT NULL,
        listed BIGINT NOT NULL,
        changed BIGINT NOT NULL,
        summary TEXT NOT NULL);
INSERT INTO summary VALUES('n99gs1mfmeah','over',0,1794802019187,'{"id":"n99gs1mfmeah","game":"cotulenh","phase":"over","public":false,"seats":[{"kind":"human","player":"d5yvn0qp1kgebpqg","name":"Guest-D5YV"},{"kind":"human","player":"fv8fdxfh6fg1mggf","name":"Guest-FV8F"}],"clock":"10+0","result":{"reason":"resign","winner":"r"},"turns":1,"opened":1794802019184,"changed":1794802019187}');
INSERT INTO summary VALUES('m2afajqmy4br','waiting',1,1794802019191,'{"id":"m2afajqmy4br","game":"cotulenh","phase":"waiting","public":true,"seats":[{"kind":"open"},{"kind":"human","player":"d5yvn0qp1kgebpqg","name":"Guest-D5YV"}],"clock":"","result":null,"turns":0,"opened":1794802019191,"changed":1794802019191}');
INSERT INTO summary VALUES('r2fbemr451kk','waiting',0,1794802019192,'{"id":"r2fbemr451kk","game":"tractor","phase":"waiting","public":false,"seats":[{"kind":"human","player":"d5yvn0qp1kgebpqg","name":"Guest-D5YV"},{"kind":"open"},{"kind":"open"},{"kind":"open"}],"clock":"","result":null,"turns":0,"opened":1794802019192,"changed":1794802019192}');
CREATE TABLE seat (
        table_id TEXT NOT NULL,
        seat BIGINT NOT NULL,
        player TEXT NOT NULL,
        PRIMARY KEY (table_id, seat));
INSERT INTO seat VALUES('n99gs1mfmeah',0,'d5yvn0qp1kgebpqg');
INSERT INTO seat VALUES('n99gs1mfmeah',1,'fv8fdxfh6fg1mggf');
INSERT INTO seat VALUES('m2afajqmy4br',1,'d5yvn0qp1kgebpqg');
INSERT INTO seat VALUES('r2fbemr451kk',0,'d5yvn0qp1kgebpqg');
CREATE TABLE account (
        player TEXT PRIMARY KEY,
        folded TEXT NOT NULL UNIQUE,
        name TEXT NOT NULL,
        password TEXT NOT NULL);
INSERT INTO account VALUES('d5yvn0qp1kgebpqg','ann','Ann','$argon2id$v=19$m=19456,t=2,p=1$1IXjZRfozo/X/NswQEJFXg$yK8AhWVjRvqNdD79h5ot4p+7BL6PJn17FZmttPXsgcI');
CREATE TABLE session (
        token TEXT PRIMARY KEY,
        guest TEXT NOT NULL,
        account TEXT NOT NULL);
INSERT INTO session VALUES('b64001fce4cb7090ce046b182f40b983710b072a44d22ba3c0bc4aa00fa5e3dd','d5yvn0qp1kgebpqg','d5yvn0qp1kgebpqg');
CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO setting VALUES('key','188ec6efda380d12c5cbdde5a50208a79638f26527424b2fff19a7490d180938');
CREATE INDEX summary_by_phase ON summary (phase, listed, changed);
CREATE INDEX seat_by_player ON seat (player);
COMMIT;
