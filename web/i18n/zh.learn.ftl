# 课程。

nav-learn = 学习
learn-title = 学习下棋打牌
learn-lead = 简短的课程，每一步都由你亲手操作。获得的星星保存在本浏览器中。
learn-progress = { $done } / { $all }
learn-steps = 步骤
learn-hint = 提示
learn-again = 重试
learn-next = 下一步
learn-next-chapter = 下一章
learn-finish = 全部课程
learn-go-on = 很好，继续。
learn-right = 正确！
learn-stars =
    { $stars ->
        *[other] { $stars } / 3 星
    }
learn-hand = 你的手牌：
learn-trick = 本轮已出：
learn-player = 第 { $number } 家
learn-do-select = 检查
learn-do-play = 出牌
learn-do-bury = 扣底
learn-do-declare = 亮主
learn-throw = 甩牌
learn-defenders-rise =
    { $levels ->
        *[other] 庄家方升 { $levels } 级
    }
learn-attackers-rise =
    { $levels ->
        [0] 闲家方获胜，不升级
        *[other] 闲家方获胜，升 { $levels } 级
    }

learn-why-nobody = 那里没有你的棋子。
learn-why-range = { $pieces }到不了 { $square }：不在一条线上或太远。
learn-why-terrain = { $pieces }不能到 { $square }：地形不符。
learn-why-no-stack = 这些棋子不能组成叠子。
learn-why-river = { $pieces }不能在那里过河。
learn-why-air-defence = 敌方防空区挡住了到 { $square } 的路。
learn-why-blocked = 到 { $square } 的路被挡住了。
learn-why-attacked = 那样你的司令会被吃。
learn-why-exposed = 那样双方司令会照面。

learn-miss-reach = 还没完成：{ $pieces }应在 { $square }。
learn-miss-stack = 还没完成：{ $square } 上应正好是{ $pieces }。
learn-miss-capture = { $square } 的敌子还在。
learn-miss-by-move = 目标是普通走子。
learn-miss-by-capture = 目标是吃子并占据该格。
learn-miss-by-strike = 目标是原地打击。
learn-miss-by-kamikaze = 目标是自杀式攻击。
learn-miss-by-combine = 目标是组合两枚棋子。
learn-miss-by-deploy = 目标是展开。
learn-miss-heroic = { $pieces }应在 { $square } 成为英雄。
learn-miss-check = 这不是将军。
learn-miss-mate = 将军，但没将死：{ $turn } 可以解将。
learn-miss-no-mate = 这不是将军。
learn-miss-better = 合法，但有好得多的着法。
learn-miss-missing = 还缺：{ $cards }。
learn-miss-extra = 这些不该选：{ $cards }。
learn-miss-shape = 可以出，但题目要的是：{ $kind }。
learn-miss-loses = 可以出，但赢不了这一轮。
learn-miss-wins = 可以出，但这一轮不该赢。
learn-miss-few-points = 可以出，但你可以垫更多分：至少 { $points } 分。
learn-miss-points = 这样会送掉 { $points } 分。
learn-miss-keep = 扣掉太可惜：{ $cards }。
learn-miss-not-void = 你还有{ $suit }：全部扣掉。
learn-miss-choice = 不对。

learn-round = 教学对局
learn-round-lead = 你坐庄，和对家同为庄家方。先扣下八张牌，再和电脑打完这一局；每一步都有点评。
learn-attackers-points = 闲家方：{ $points } 分
learn-last-trick = 上一轮：
learn-seat-0 = 你
learn-seat-1 = 下家
learn-seat-2 = 对家
learn-seat-3 = 上家
learn-coach-bury-safe = 很好：底牌没有分。
learn-coach-bury-points = 你扣了 { $points } 分：闲家方若抠底，会得到两倍以上。
learn-coach-best = 最佳出法。
learn-coach-good = 打得不错。
learn-coach-inaccuracy = { $cards } 更好，平均约差 { $loss } 分。
learn-coach-mistake = 失误：{ $cards } 更好，平均约差 { $loss } 分。
